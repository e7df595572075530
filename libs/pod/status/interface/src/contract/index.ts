export { describeStatusManagerContract } from './status-manager-contract.js';
export type { StatusManagerHarness } from './status-manager-contract.js';
