import { contribution, defineModule, factoryOf } from '@podwright/assembly-interface';
import { ALLOCATED_RESOURCE_HEALTH } from '@podwright/device-manager-interface';
import { DRA_MANAGER } from '@podwright/dra-interface';
import { ClaimDraManager, draManagerNeeds, type DraManagerNeeds } from './claim-dra-manager.js';
import { claimDraManagerConfigSchema, type ClaimDraManagerConfig } from './claim-dra-manager-config.js';

export const draManagerModule = defineModule({
  name: '@podwright/dra',
  provides: [DRA_MANAGER],
  needs: draManagerNeeds,
  config: claimDraManagerConfigSchema,
  create: (deps: DraManagerNeeds, config: ClaimDraManagerConfig) => new ClaimDraManager(deps, config),
  contributes: [contribution(ALLOCATED_RESOURCE_HEALTH, (manager: ClaimDraManager) => [manager.health])],
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createClaimDraManager = factoryOf(draManagerModule);
