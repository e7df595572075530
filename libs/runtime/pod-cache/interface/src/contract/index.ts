export { describePodCacheContract } from './pod-cache-contract.js';
export type { PodCacheHarness } from './pod-cache-contract.js';
