export { cgroupHierarchies, controllersVersion } from './cgroup-hierarchies.js';
export type { CgroupHierarchy } from './cgroup-hierarchies.js';
export { absentIs, isAbsent, isRefused } from './cgroup-errors.js';
export { pidsBelow, subdirectories } from './cgroup-directories.js';
export { cgroupName, podUidOf } from './cgroup-name.js';
export { ownCgroupOf } from './own-cgroup.js';
