export { describeServerAuthContract } from './server-auth-contract.js';
export type { ServerAuthHarness, ServerAuthSetup } from './server-auth-contract.js';
