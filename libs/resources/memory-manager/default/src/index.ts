export { memoryManagerNeeds, NumaMemoryManager } from './numa-memory-manager.js';
export type { MemoryManagerNeeds } from './numa-memory-manager.js';
export { createNumaMemoryManager, memoryManagerModule } from './numa-memory-manager.module.js';
export { numaMemoryManagerConfigSchema } from './numa-memory-manager-config.js';
export type { NumaMemoryManagerConfig } from './numa-memory-manager-config.js';
