import { ALLOCATION_MANAGER } from '@podwright/allocation-interface';
import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { allocationManagerConfigSchema } from './allocation-manager-config.js';
import { allocationManagerNeeds, QueueingAllocationManager } from './queueing-allocation-manager.js';

export const allocationManagerModule = defineModule({
  name: '@podwright/allocation',
  provides: [ALLOCATION_MANAGER],
  needs: allocationManagerNeeds,
  config: allocationManagerConfigSchema,
  create: (deps, config) => new QueueingAllocationManager(deps, config),
});

/** Creates the manager without an assembly. Throws `invalid-argument` for a wrong option. */
export const createAllocationManager = factoryOf(allocationManagerModule);
