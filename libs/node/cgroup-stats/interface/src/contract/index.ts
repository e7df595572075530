export { describeCgroupStatsContract } from './cgroup-stats-contract.js';
export type { CgroupStatsHarness } from './cgroup-stats-contract.js';
