export { CGROUP_DRIVER, CGROUP_DRIVER_MISMATCH } from './cgroup-driver.js';
export type { CgroupDriver, CgroupDriverName, OnCgroupDriverMismatch } from './cgroup-driver.js';
export { CGROUP_MANAGER } from './cgroup-manager.js';
export type { CgroupManager } from './cgroup-manager.js';
export { POD_CGROUP_CPU_REDUCTION, POD_CGROUP_RESOURCES } from './pod-cgroup-resources.js';
export type { PodCgroupCpuReduction, PodCgroupResourceControl, PodCgroupResources } from './pod-cgroup-resources.js';
