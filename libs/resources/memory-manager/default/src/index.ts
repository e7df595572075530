import 'reflect-metadata'; // tsyringe refuses to load without it
export { createNumaMemoryManager, NumaMemoryManager } from './numa-memory-manager.js';
export type { NumaMemoryManagerDeps } from './numa-memory-manager.js';
export { memoryManagerModule } from './numa-memory-manager.module.js';
export { NUMA_MEMORY_MANAGER_CONFIG, numaMemoryManagerConfigSchema } from './numa-memory-manager-config.js';
export type { NumaMemoryManagerConfig } from './numa-memory-manager-config.js';
