export { gracefulNodeShutdownNeeds } from './graceful-node-shutdown.js';
export type { GracefulNodeShutdownNeeds } from './graceful-node-shutdown.js';
export { gracefulNodeShutdownConfigSchema } from './graceful-node-shutdown-config.js';
export type { GracefulNodeShutdownConfig, PriorityGracePeriod } from './graceful-node-shutdown-config.js';
export { createGracefulNodeShutdown, gracefulNodeShutdownModule } from './graceful-node-shutdown.module.js';
export { shutdownGroups, shutdownSchedule } from './shutdown-schedule.js';
export type { ShutdownGroup } from './shutdown-schedule.js';
