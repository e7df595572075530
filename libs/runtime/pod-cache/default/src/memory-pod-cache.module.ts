import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { POD_CACHE, POD_CACHE_WRITER } from '@podwright/pod-cache-interface';
import { MemoryPodCache } from './memory-pod-cache.js';

export const memoryPodCacheModule = defineModule({
  name: '@podwright/pod-cache',
  provides: [POD_CACHE, POD_CACHE_WRITER],
  create: () => new MemoryPodCache(),
});

/** Creates one without an assembly. Give the same object to all readers and to the single writer. */
export const createMemoryPodCache = factoryOf(memoryPodCacheModule);
