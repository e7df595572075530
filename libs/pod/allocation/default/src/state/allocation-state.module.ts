import { ACTUATED_RESOURCES, ALLOCATED_RESOURCES, RESIZE_CONDITIONS } from '@podwright/allocation-interface';
import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { allocationStateConfigSchema } from './allocation-state-config.js';
import { CheckpointedActuatedResources } from './checkpointed-actuated-resources.js';
import { CheckpointedAllocatedResources } from './checkpointed-allocated-resources.js';
import { allocationStateNeeds, MemoryResizeConditions } from './memory-resize-conditions.js';

/** A module of its own: pod sync and the container runtime need the records, and the manager needs admission. */
export const allocationStateModule = defineModule({
  name: '@podwright/allocation#state',
  provides: { allocated: ALLOCATED_RESOURCES, actuated: ACTUATED_RESOURCES, conditions: RESIZE_CONDITIONS },
  needs: allocationStateNeeds,
  config: allocationStateConfigSchema,
  create: (deps, config) => ({
    allocated: new CheckpointedAllocatedResources(config),
    actuated: new CheckpointedActuatedResources(config),
    conditions: new MemoryResizeConditions(deps),
  }),
});

/** Creates both records without an assembly; start both of them. Throws `invalid-argument` for a wrong option. */
export const createAllocationState = factoryOf(allocationStateModule);
