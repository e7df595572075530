export { FilePodCheckpoints, filePodCheckpointsNeeds } from './file-pod-checkpoints.js';
export { filePodCheckpointsConfigSchema } from './file-pod-checkpoints-config.js';
export type { FilePodCheckpointsConfig } from './file-pod-checkpoints-config.js';
export { createFilePodCheckpoints, filePodCheckpointsModule } from './file-pod-checkpoints.module.js';
export { podCheckpointHousekeepingModule } from './pod-checkpoint-housekeeping.module.js';
