import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { STATUS_DELIVERY, STATUS_MANAGER } from '@podwright/status-interface';
import { PodStatusManager, statusNeeds } from './pod-status-manager.js';
import { keepsAllStatuses } from './status-keeping.js';

export const statusModule = defineModule({
  name: '@podwright/status',
  provides: [STATUS_MANAGER, STATUS_DELIVERY],
  needs: statusNeeds,
  create: (deps) => new PodStatusManager(deps, keepsAllStatuses),
});

/** Creates one without an assembly. */
export const createPodStatusManager = factoryOf(statusModule);
