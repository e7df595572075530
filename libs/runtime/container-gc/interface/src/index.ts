export { CONTAINER_GC } from './container-gc.js';
export type { ContainerGc } from './container-gc.js';
