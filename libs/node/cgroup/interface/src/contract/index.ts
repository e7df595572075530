export { describeCgroupManagerContract } from './cgroup-manager-contract.js';
export type { CgroupManagerHarness } from './cgroup-manager-contract.js';
