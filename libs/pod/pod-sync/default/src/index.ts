import 'reflect-metadata'; // tsyringe refuses to load without it

export { DefaultPodSyncer } from './default-pod-syncer.js';
export { createPodSyncer } from './create-pod-syncer.js';
export type { PodSyncerDeps } from './create-pod-syncer.js';
export { POD_SYNC_CONFIG, podSyncConfig } from './pod-sync-config.js';
export type { PodSyncConfig } from './pod-sync-config.js';
export { podSyncModule } from './default-pod-syncer.module.js';
export { computePhase } from './api-status/phase.js';
export type { PhaseInput } from './api-status/phase.js';
