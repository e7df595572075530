export { describePodCheckpointsContract } from './pod-checkpoints-contract.js';
export type { PodCheckpointsHarness } from './pod-checkpoints-contract.js';
export { VolatilePodCheckpoints } from './volatile-pod-checkpoints.js';
