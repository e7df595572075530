export { BOOTSTRAP, SYNC_HANDLER } from './sync-loop.js';
export type { Bootstrap, RunOnceOptions, RunOnceResult, SyncHandler } from './sync-loop.js';
