export { VOLUME_MANAGER } from './volume-manager.js';
export type { MountedVolume, VolumeManager } from './volume-manager.js';
export { VOLUME_PLUGINS } from './volume-plugin.js';
export type { WrapperVolumes } from './wrapper-volumes.js';
export type { VolumeMounter, VolumePlugin, VolumeSpec } from './volume-plugin.js';
