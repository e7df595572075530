export { POD_MEMORY } from './pod-memory.js';
export type { PodMemory, PodMemoryPart } from './pod-memory.js';
