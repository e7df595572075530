export { POD_SYNCER } from './pod-syncer.js';
export type { PodSyncer, SyncPodContext, SyncTerminatingContext } from './pod-syncer.js';
export { backOffUntilOf, syncErrorOf } from './sync-error.js';
