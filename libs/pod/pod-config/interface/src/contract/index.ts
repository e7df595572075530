export { describePodConfigContract } from './pod-config-contract.js';
export type { PodConfigHarness, PodConfigParts } from './pod-config-contract.js';
