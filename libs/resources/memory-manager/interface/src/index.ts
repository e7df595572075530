export { MEMORY_MANAGER } from './memory-manager.js';
export type { MemoryBlock, MemoryManager } from './memory-manager.js';
