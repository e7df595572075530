export { describeSyncLoopContract } from './sync-loop-contract.js';
export type { SyncLoopHarness } from './sync-loop-contract.js';
