export { createEmptyDirPlugin, createEmptyDirWrapper } from './empty-dir.js';
export type { EmptyDirDeps } from './empty-dir.js';
export { createHostPathPlugin } from './host-path.js';
export { localVolumesModule, localVolumesNeeds } from './local-volumes.module.js';
export { createLocalVolumePlugins, createLocalWrapperVolumes } from './local-volume-plugins.js';
export type { LocalVolumeDeps } from './local-volume-plugins.js';
