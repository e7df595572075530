export { CONTAINER_GC } from './container-gc.js';
export type { ContainerGc, GarbageCollectOptions } from './container-gc.js';
