import { defineModule } from '@podwright/assembly-interface';
import { POD_CACHE, POD_CACHE_WRITER } from '@podwright/pod-cache-interface';
import { MemoryPodCache } from './memory-pod-cache.js';

export const memoryPodCacheModule = defineModule({
  name: '@podwright/pod-cache',
  provides: [POD_CACHE, POD_CACHE_WRITER],
  requires: [],
  register: (container) => {
    container.registerSingleton(MemoryPodCache);
    container.register(POD_CACHE, { useToken: MemoryPodCache }); // one instance under both names
    container.register(POD_CACHE_WRITER, { useToken: MemoryPodCache });
  },
});
