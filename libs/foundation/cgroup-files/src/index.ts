export { cgroupHierarchies, controllersVersion } from './cgroup-hierarchies.js';
export type { CgroupHierarchy } from './cgroup-hierarchies.js';
export { absentIs, isAbsent, isRefused } from './cgroup-errors.js';
export { pidsBelow, subdirectories } from './cgroup-directories.js';
export {
  milliCpuToQuotaUs,
  milliCpuToShares,
  quotaUsToMilliCpu,
  sharesToMilliCpu,
  sharesToWeight,
  weightToShares,
} from './cpu-units.js';
export { hugePageSizeName, hugePageSizes } from './huge-page-sizes.js';
export type { HugePageSize } from './huge-page-sizes.js';
export { cgroupName, containerIdOf, lastCgroupName, podUidOf } from './cgroup-name.js';
export { readKernelFile } from './kernel-file.js';
export { ownCgroupOf } from './own-cgroup.js';
