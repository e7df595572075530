export { createNfsVolumePlugin } from './nfs-volume.js';
export type { NfsVolumeDeps } from './nfs-volume.js';
export { nfsVolumesModule, nfsVolumesNeeds } from './nfs-volumes.module.js';
