export { describePodMemoryContract } from './pod-memory-contract.js';
export type { PodMemoryHarness } from './pod-memory-contract.js';
