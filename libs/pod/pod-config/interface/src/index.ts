export { API_POD_STORE } from './api-pod-store.js';
export type { ApiPodStore } from './api-pod-store.js';
export { POD_CONFIG } from './pod-config.js';
export type { PodConfig, PodOperation, PodSource, PodUpdate } from './pod-config.js';
export { API_POD_SOURCE, LOCAL_POD_SOURCE } from './pod-source-reader.js';
export type { DeliverPods, PodSourceReader } from './pod-source-reader.js';
