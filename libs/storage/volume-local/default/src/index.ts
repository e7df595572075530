export { createEmptyDirPlugin } from './empty-dir.js';
export type { EmptyDirDeps } from './empty-dir.js';
export { createHostPathPlugin } from './host-path.js';
export { createLocalVolumePlugins } from './local-volume-plugins.js';
export type { LocalVolumeDeps } from './local-volume-plugins.js';
