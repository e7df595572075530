export { NODE_SHUTDOWN_MANAGER } from './node-shutdown.js';
export type { NodeShutdownManager } from './node-shutdown.js';
