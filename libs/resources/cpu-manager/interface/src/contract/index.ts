export { describeCpuManagerContract } from './cpu-manager-contract.js';
export type { CpuManagerHarness } from './cpu-manager-contract.js';
