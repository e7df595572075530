export { ThresholdEvictionManager } from './threshold-eviction-manager.js';
export { evictionNeeds } from './eviction-needs.js';
export type { EvictionNeeds } from './eviction-needs.js';
export { evictionConfigSchema } from './eviction-config.js';
export type { EvictionConfig } from './eviction-config.js';
export { createThresholdEvictionManager, evictionModule } from './threshold-eviction-manager.module.js';
