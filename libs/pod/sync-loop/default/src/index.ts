import 'reflect-metadata'; // tsyringe refuses to load without it

export { SyncLoop } from './sync-loop.js';
export { PodHandlers } from './pod-handlers.js';
export { Housekeeping } from './housekeeping.js';
export { createSyncLoop } from './create-sync-loop.js';
export type { SyncLoopDeps, SyncLoopParts } from './create-sync-loop.js';
export { SYNC_LOOP_CONFIG, syncLoopConfig } from './sync-loop-config.js';
export type { SyncLoopConfig } from './sync-loop-config.js';
export { syncLoopModule } from './sync-loop.module.js';
