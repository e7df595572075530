import { ADMISSION_CHECKS } from '@podwright/admission-interface';
import { contribution, defineModule, factoryOf } from '@podwright/assembly-interface';
import { EVICTION_MANAGER } from '@podwright/eviction-interface';
import { NODE_PRESSURE } from '@podwright/node-status-interface';
import { SERVER_ROUTES } from '@podwright/server-interface';
import { evictionConfigSchema, type EvictionConfig } from './eviction-config.js';
import { evictionNeeds, type EvictionNeeds } from './eviction-needs.js';
import { evictionsRoutes } from './evictions-routes.js';
import { ThresholdEvictionManager } from './threshold-eviction-manager.js';

export const evictionModule = defineModule({
  name: '@podwright/eviction',
  provides: [EVICTION_MANAGER, NODE_PRESSURE],
  needs: evictionNeeds,
  config: evictionConfigSchema,
  create: (deps: EvictionNeeds, config: EvictionConfig) => new ThresholdEvictionManager(deps, config),
  contributes: [
    contribution(SERVER_ROUTES, evictionsRoutes),
    contribution(ADMISSION_CHECKS, (manager: ThresholdEvictionManager) => [manager.admissionCheck()]),
  ],
});

/**
 * Creates one without an assembly. Throws `invalid-argument` for options out of range and thresholds that upstream
 * refuses.
 */
export const createThresholdEvictionManager = factoryOf(evictionModule);
