export { createNodeLogsRoutes, nodeLogsModule, nodeLogsNeeds } from './node-logs.module.js';
export type { NodeLogsNeeds } from './node-logs.module.js';
export { nodeLogsConfig } from './node-logs-config.js';
export type { NodeLogsConfig } from './node-logs-config.js';
