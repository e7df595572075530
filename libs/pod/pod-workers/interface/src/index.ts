export { POD_WORKERS } from './pod-workers.js';
export type { KillPodOptions, PodUpdateType, PodWorkerSync, PodWorkers, UpdatePodOptions } from './pod-workers.js';
export { POD_LIFECYCLE } from './pod-lifecycle.js';
export type { PodLifecycle, PodWorkState } from './pod-lifecycle.js';
export { POD_WORK_QUEUE } from './pod-work-queue.js';
export type { PodWorkQueue } from './pod-work-queue.js';
export { ACTIVE_PODS } from './active-pods.js';
export type { ActivePods } from './active-pods.js';
