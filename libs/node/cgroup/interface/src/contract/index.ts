export { describeCgroupManagerContract } from './cgroup-manager-contract.js';
export type { CgroupManagerHarness } from './cgroup-manager-contract.js';
export { describePodCgroupResourcesContract } from './pod-cgroup-resources-contract.js';
export type { PodCgroupResourcesHarness } from './pod-cgroup-resources-contract.js';
