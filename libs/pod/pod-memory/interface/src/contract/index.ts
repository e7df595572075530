export { describePodMemoryContract } from './pod-memory-contract.js';
export type { PodMemoryHarness } from './pod-memory-contract.js';
export { VolatilePodMemory } from './volatile-pod-memory.js';
