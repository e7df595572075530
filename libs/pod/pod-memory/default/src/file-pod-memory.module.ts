import { defineModule, LOGGER } from '@podwright/assembly-interface';
import { POD_MEMORY } from '@podwright/pod-memory-interface';
import { FilePodMemory } from './file-pod-memory.js';
import { filePodMemoryConfigSchema } from './file-pod-memory-config.js';

/** Provides `POD_MEMORY` from files below the state directory. */
export const filePodMemoryModule = defineModule({
  name: '@podwright/pod-memory',
  provides: [POD_MEMORY],
  requires: [LOGGER],
  config: filePodMemoryConfigSchema,
  register: (container) => {
    container.registerSingleton(FilePodMemory);
    container.register(POD_MEMORY, { useToken: FilePodMemory }); // alias: both names give one instance
  },
});
