export { createLocalVolumePlugin } from './local-volume-plugin.js';
export type { LocalVolumeDeps } from './local-volume-deps.js';
export { diskVolumesModule, diskVolumesNeeds } from './disk-volumes.module.js';
