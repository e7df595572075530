import 'reflect-metadata'; // tsyringe refuses to load without it

export { ActivePodFilter, createActivePods } from './active-pod-filter.js';
export { activePodsModule } from './active-pods.module.js';
export { createPodWorkers } from './create-pod-workers.js';
export type { PodWorkersDeps, PodWorkersParts } from './create-pod-workers.js';
export { LanedPodWorkers } from './laned-pod-workers.js';
export { POD_LIFECYCLE_TABLE, PodLifecycleTable } from './pod-lifecycle-table.js';
export { podLifecycleModule } from './pod-lifecycle.module.js';
export { podWorkQueueModule } from './pod-work-queue.module.js';
export { POD_WORKERS_CONFIG, podWorkersConfigSchema } from './pod-workers-config.js';
export type { PodWorkersConfig } from './pod-workers-config.js';
export { podWorkersModule } from './pod-workers.module.js';
export { createPodWorkQueue, TimedWorkQueue } from './timed-work-queue.js';
