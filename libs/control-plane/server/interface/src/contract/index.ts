export { describeServerContract } from './server-contract.js';
export type { ServerHarness } from './server-contract.js';
export { get } from './http-get.js';
export type { GetOptions, HttpAnswer } from './http-get.js';
