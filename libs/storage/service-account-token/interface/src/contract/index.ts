export { describeServiceAccountTokenContract } from './service-account-token-contract.js';
export type { ServiceAccountTokenHarness } from './service-account-token-contract.js';
