export { describeStatsProviderContract } from './stats-provider-contract.js';
export type { StatsProviderHarness } from './stats-provider-contract.js';
