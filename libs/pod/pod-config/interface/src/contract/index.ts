export { describePodConfigContract } from './pod-config-contract.js';
export type { PodConfigHarness, PodConfigParts } from './pod-config-contract.js';
export { describePodSourceContract } from './pod-source-contract.js';
export type { PodSourceHarness } from './pod-source-contract.js';
