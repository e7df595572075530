export { createMemoryPodCache, MemoryPodCache } from './memory-pod-cache.js';
export { memoryPodCacheModule } from './memory-pod-cache.module.js';
