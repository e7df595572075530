export { describeNodeLeaseContract } from './node-lease-contract.js';
export type { NodeLeaseHarness } from './node-lease-contract.js';
