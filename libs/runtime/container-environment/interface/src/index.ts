export { CONTAINER_ENVIRONMENT } from './container-environment.js';
export type { ContainerEnvironment, ContainerSurroundings, PodSurroundings } from './container-environment.js';
