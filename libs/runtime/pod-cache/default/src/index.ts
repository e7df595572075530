export { MemoryPodCache } from './memory-pod-cache.js';
export { createMemoryPodCache, memoryPodCacheModule } from './memory-pod-cache.module.js';
