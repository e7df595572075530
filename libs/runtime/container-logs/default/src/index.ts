export { containerLogsNeeds, FileContainerLogs } from './file-container-logs.js';
export type { ContainerLogsNeeds } from './file-container-logs.js';
export { fileContainerLogsConfigSchema } from './file-container-logs-config.js';
export type { FileContainerLogsConfig } from './file-container-logs-config.js';
export { containerLogsModule, createFileContainerLogs } from './container-logs.module.js';
export {
  containerLogsRoutesModule,
  containerLogsRoutesNeeds,
  createContainerLogsRoutes,
} from './routes/container-logs-routes.module.js';
export type { ContainerLogsRoutesConfig, ContainerLogsRoutesNeeds } from './routes/container-logs-routes.module.js';
