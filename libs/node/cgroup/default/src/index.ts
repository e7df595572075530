import 'reflect-metadata'; // tsyringe refuses to load without it

export { CgroupfsManager, createCgroupfsManager } from './cgroupfs-manager.js';
export { CGROUPFS_CONFIG, cgroupfsConfig } from './cgroupfs-config.js';
export type { CgroupfsConfig } from './cgroupfs-config.js';
export { cgroupModule } from './cgroupfs-manager.module.js';
export { CGROUP_FILES } from './cgroup-files.js';
export type { CgroupFiles } from './cgroup-files.js';
export type { CgroupfsDeps } from './cgroupfs-manager.js';
