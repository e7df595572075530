import { defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { MEMORY_MANAGER } from '@podwright/memory-manager-interface';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import { ACTIVE_PODS } from '@podwright/pod-workers-interface';
import { MACHINE_TOPOLOGY, TOPOLOGY_MANAGER } from '@podwright/topology-manager-interface';
import { numaMemoryManagerConfigSchema } from './numa-memory-manager-config.js';
import { NumaMemoryManager } from './numa-memory-manager.js';

export const memoryManagerModule = defineModule({
  name: '@podwright/memory-manager',
  provides: [MEMORY_MANAGER],
  requires: [ACTIVE_PODS, POD_CONFIG, TOPOLOGY_MANAGER, MACHINE_TOPOLOGY, LOGGER, METRICS],
  config: numaMemoryManagerConfigSchema,
  register: (container) => {
    container.registerSingleton(NumaMemoryManager);
    container.register(MEMORY_MANAGER, { useToken: NumaMemoryManager }); // alias: both names give one instance
  },
});
