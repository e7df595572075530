import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { MEMORY_MANAGER } from '@podwright/memory-manager-interface';
import { numaMemoryManagerConfigSchema } from './numa-memory-manager-config.js';
import { memoryManagerNeeds, NumaMemoryManager } from './numa-memory-manager.js';

export const memoryManagerModule = defineModule({
  name: '@podwright/memory-manager',
  provides: [MEMORY_MANAGER],
  needs: memoryManagerNeeds,
  config: numaMemoryManagerConfigSchema,
  create: (deps, config) => new NumaMemoryManager(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for a wrong option. */
export const createNumaMemoryManager = factoryOf(memoryManagerModule);
