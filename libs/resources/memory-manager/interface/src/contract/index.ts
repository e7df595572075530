export { describeMemoryManagerContract } from './memory-manager-contract.js';
export type { MemoryManagerHarness } from './memory-manager-contract.js';
