export { POD_CONFIG } from './pod-config.js';
export type { PodConfig, PodOperation, PodSource, PodUpdate } from './pod-config.js';
