import 'reflect-metadata'; // tsyringe refuses to load without it
export { FileContainerLogs, createFileContainerLogs } from './file-container-logs.js';
export type { FileContainerLogsDeps } from './file-container-logs.js';
export { FILE_CONTAINER_LOGS_CONFIG, fileContainerLogsConfigSchema } from './file-container-logs-config.js';
export type { FileContainerLogsConfig } from './file-container-logs-config.js';
export { containerLogsModule } from './container-logs.module.js';
