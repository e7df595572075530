export { describePodManagerContract } from './pod-manager-contract.js';
export type { PodManagerHarness } from './pod-manager-contract.js';
export { describeMirrorPodClientContract } from './mirror-pod-client-contract.js';
export type { MirrorPodClientHarness } from './mirror-pod-client-contract.js';
