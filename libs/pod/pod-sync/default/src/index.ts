export { DefaultPodSyncer } from './default-pod-syncer.js';
export { podSyncNeeds } from './pod-sync-needs.js';
export type { PodSyncNeeds } from './pod-sync-needs.js';
export { podSyncConfig } from './pod-sync-config.js';
export type { PodSyncConfig } from './pod-sync-config.js';
export { createPodSyncer, podSyncModule } from './default-pod-syncer.module.js';
export { computePhase } from './api-status/phase.js';
export type { PhaseInput } from './api-status/phase.js';
