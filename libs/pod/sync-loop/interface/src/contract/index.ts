export { describeHousekeepingStepContract, housekeepingPods, passOf } from './housekeeping-step-contract.js';
export type { HousekeepingStepHarness } from './housekeeping-step-contract.js';
export { describeSyncLoopContract } from './sync-loop-contract.js';
export type { SyncLoopHarness } from './sync-loop-contract.js';
