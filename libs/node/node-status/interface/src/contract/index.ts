export { describeNodeSourceContract } from './node-source-contract.js';
export type { NodeSourceHarness } from './node-source-contract.js';
export { describeNodeStatusReporterContract } from './node-status-reporter-contract.js';
export type { NodeStatusReporterHarness } from './node-status-reporter-contract.js';
export { describeRegisteredNodeContract } from './registered-node-contract.js';
export type { RegisteredNodeHarness } from './registered-node-contract.js';
