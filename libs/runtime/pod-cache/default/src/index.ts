import 'reflect-metadata'; // tsyringe refuses to load without it
export { createMemoryPodCache, MemoryPodCache } from './memory-pod-cache.js';
export { memoryPodCacheModule } from './memory-pod-cache.module.js';
