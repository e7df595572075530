export { describePodManagerContract } from './pod-manager-contract.js';
export type { PodManagerHarness } from './pod-manager-contract.js';
