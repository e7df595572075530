export { OFFLINE_OBJECTS } from './offline-objects.js';
export type { OfflineCopy, OfflineKind, OfflineObjects, OfflineRef } from './offline-objects.js';
export { isServerAway } from './server-away.js';
