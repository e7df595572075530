export { HOUSEKEEPING_STEPS, housekeepingStages } from './housekeeping-steps.js';
export type { HousekeepingPass, HousekeepingStage, HousekeepingStep } from './housekeeping-steps.js';
export { BOOTSTRAP, SYNC_HANDLER } from './sync-loop.js';
export type { Bootstrap, RunOnceOptions, RunOnceResult, SyncHandler } from './sync-loop.js';
