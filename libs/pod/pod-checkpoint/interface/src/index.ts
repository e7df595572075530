export { POD_CHECKPOINTS } from './pod-checkpoints.js';
export type { PodCheckpoints, PodCheckpointPart } from './pod-checkpoints.js';
