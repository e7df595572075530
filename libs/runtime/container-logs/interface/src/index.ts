export { CONTAINER_LOGS } from './container-logs.js';
export type { ContainerLogOptions, ContainerLogRequest, ContainerLogs } from './container-logs.js';
