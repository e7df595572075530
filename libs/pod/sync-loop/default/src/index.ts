export { SyncLoop } from './sync-loop.js';
export { PodHandlers } from './pod-handlers.js';
export { Housekeeping } from './housekeeping.js';
export { syncLoopNeeds } from './sync-loop-needs.js';
export type { SyncLoopNeeds } from './sync-loop-needs.js';
export { syncLoopConfig } from './sync-loop-config.js';
export type { SyncLoopConfig } from './sync-loop-config.js';
export { createSyncLoop, syncLoopModule } from './sync-loop.module.js';
