export { askRoutes } from './ask-routes.js';
export type { Asked, AskOptions } from './ask-routes.js';
export { describeServerContract } from './server-contract.js';
export type { ServerHarness } from './server-contract.js';
export { get } from './http-get.js';
export type { GetOptions, HttpAnswer } from './http-get.js';
export { describeServerRoutesContract } from './server-routes-contract.js';
export type { ServerRoutesHarness } from './server-routes-contract.js';
