export { describeNodeSourceContract } from './node-source-contract.js';
export type { NodeSourceHarness } from './node-source-contract.js';
