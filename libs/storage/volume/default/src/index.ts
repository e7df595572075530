import 'reflect-metadata'; // tsyringe refuses to load without it

export { createVolumeManager } from './create-volume-manager.js';
export type { VolumeManagerDeps } from './create-volume-manager.js';
export { OnDemandVolumeManager } from './on-demand-volume-manager.js';
export { volumeManagerModule } from './on-demand-volume-manager.module.js';
export { VOLUME_MANAGER_CONFIG, volumeManagerConfigSchema } from './volume-manager-config.js';
export type { VolumeManagerConfig } from './volume-manager-config.js';
