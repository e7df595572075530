import 'reflect-metadata'; // tsyringe refuses to load without it
export { createThresholdEvictionManager, ThresholdEvictionManager } from './threshold-eviction-manager.js';
export type { ThresholdEvictionManagerDeps } from './threshold-eviction-manager.js';
export { EVICTION_CONFIG, evictionConfigSchema } from './eviction-config.js';
export type { EvictionConfig } from './eviction-config.js';
export { evictionModule } from './threshold-eviction-manager.module.js';
