export { CONTAINER_ENVIRONMENT } from './container-environment.js';
export type { ContainerEnvironment, ContainerSurroundings, PodSurroundings } from './container-environment.js';
export { CONTAINER_RUN_OPTIONS } from './container-run-options.js';
export type { ContainerRunOptions, ContainerRunOptionsSource } from './container-run-options.js';
export { SERVICE_SOURCE } from './service-source.js';
export type { ServiceAddress, ServiceSource } from './service-source.js';
export { bytesOfVariable, variableOfBytes } from './variable-bytes.js';
