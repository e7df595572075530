export { describeEvictionManagerContract } from './eviction-manager-contract.js';
export type { ContractPod, EvictionManagerHarness } from './eviction-manager-contract.js';
