import { ADMISSION, ADMISSION_HANDLERS } from '@podwright/admission-interface';
import { ALLOCATED_RESOURCES, ALLOCATION_MANAGER, RESIZE_CONDITIONS } from '@podwright/allocation-interface';
import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { ACTIVE_PODS } from '@podwright/pod-workers-interface';
import { allocationManagerConfigSchema } from './allocation-manager-config.js';
import { QueueingAllocationManager } from './queueing-allocation-manager.js';

export const allocationManagerModule = defineModule({
  name: '@podwright/allocation',
  provides: [ALLOCATION_MANAGER],
  requires: [
    ADMISSION,
    ADMISSION_HANDLERS,
    ALLOCATED_RESOURCES,
    RESIZE_CONDITIONS,
    ACTIVE_PODS,
    POD_MANAGER,
    POD_CONFIG,
    NODE_SOURCE,
    EVENT_RECORDER,
    CLOCK,
    LOGGER,
    METRICS,
  ],
  config: allocationManagerConfigSchema,
  register: (container) => {
    container.registerSingleton(QueueingAllocationManager);
    container.register(ALLOCATION_MANAGER, { useToken: QueueingAllocationManager }); // alias: both names give one instance
  },
});
