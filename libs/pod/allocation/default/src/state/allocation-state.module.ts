import { ACTUATED_RESOURCES, ALLOCATED_RESOURCES, RESIZE_CONDITIONS } from '@podwright/allocation-interface';
import { CLOCK, defineModule } from '@podwright/assembly-interface';
import { allocationStateConfigSchema } from './allocation-state-config.js';
import { CheckpointedActuatedResources } from './checkpointed-actuated-resources.js';
import { CheckpointedAllocatedResources } from './checkpointed-allocated-resources.js';
import { MemoryResizeConditions } from './memory-resize-conditions.js';

/** The records, apart from the manager: pod sync and the container runtime need them, and the manager needs admission. */
export const allocationStateModule = defineModule({
  name: '@podwright/allocation#state',
  provides: [ALLOCATED_RESOURCES, ACTUATED_RESOURCES, RESIZE_CONDITIONS],
  requires: [CLOCK],
  config: allocationStateConfigSchema,
  register: (container) => {
    container.registerSingleton(CheckpointedAllocatedResources);
    container.registerSingleton(CheckpointedActuatedResources);
    container.registerSingleton(MemoryResizeConditions);
    container.register(ALLOCATED_RESOURCES, { useToken: CheckpointedAllocatedResources });
    container.register(ACTUATED_RESOURCES, { useToken: CheckpointedActuatedResources });
    container.register(RESIZE_CONDITIONS, { useToken: MemoryResizeConditions });
  },
});
