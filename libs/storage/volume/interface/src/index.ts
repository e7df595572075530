export { VOLUMES_IN_USE, VOLUME_MANAGER } from './volume-manager.js';
export type { MountedVolume, VolumeManager, VolumesInUse } from './volume-manager.js';
export { VOLUME_PLUGINS } from './volume-plugin.js';
export type { VolumeUsage, VolumeUsageSource } from './volume-usage.js';
export type { WrapperVolumes } from './wrapper-volumes.js';
export type { VolumeMounter, VolumePlugin, VolumeSpec } from './volume-plugin.js';
