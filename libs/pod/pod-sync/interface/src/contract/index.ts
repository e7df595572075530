export { describePodSyncerContract } from './pod-syncer-contract.js';
export type { PodSyncerHarness } from './pod-syncer-contract.js';
