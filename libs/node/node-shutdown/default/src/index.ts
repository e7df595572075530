import 'reflect-metadata'; // tsyringe refuses to load without it
export { createGracefulNodeShutdown } from './create-graceful-node-shutdown.js';
export type { GracefulNodeShutdownDeps } from './create-graceful-node-shutdown.js';
export { GRACEFUL_NODE_SHUTDOWN_CONFIG, gracefulNodeShutdownConfigSchema } from './graceful-node-shutdown-config.js';
export type { GracefulNodeShutdownConfig, PriorityGracePeriod } from './graceful-node-shutdown-config.js';
export { gracefulNodeShutdownModule } from './graceful-node-shutdown.module.js';
export { shutdownGroups, shutdownSchedule } from './shutdown-schedule.js';
export type { ShutdownGroup } from './shutdown-schedule.js';
