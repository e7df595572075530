export { CONTAINER_ENVIRONMENT } from './container-environment.js';
export type { ContainerEnvironment, ContainerSurroundings, PodSurroundings } from './container-environment.js';
export { SERVICE_SOURCE } from './service-source.js';
export type { ServiceAddress, ServiceSource } from './service-source.js';
