export { describeNodeShutdownContract } from './node-shutdown-contract.js';
export type { NodeShutdownHarness } from './node-shutdown-contract.js';
