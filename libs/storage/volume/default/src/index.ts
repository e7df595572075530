export { OnDemandVolumeManager } from './on-demand-volume-manager.js';
export { volumeManagerNeeds } from './volume-manager-needs.js';
export type { VolumeManagerNeeds } from './volume-manager-needs.js';
export { createVolumeManager, volumeManagerModule } from './on-demand-volume-manager.module.js';
export { volumeManagerConfigSchema } from './volume-manager-config.js';
export type { VolumeManagerConfig } from './volume-manager-config.js';
export { volumeHousekeepingModule } from './volume-housekeeping.module.js';
