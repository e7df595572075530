export { CONTAINER_REF } from './container-ref.js';
export type { ContainerRef } from './container-ref.js';
