export { describeServiceAccountTokensContract } from './service-account-token-contract.js';
export type { ServiceAccountTokensHarness } from './service-account-token-contract.js';
export { describeStandaloneServiceAccountTokensContract } from './standalone-service-account-token-contract.js';
