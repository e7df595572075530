export { describeSecretManagerContract } from './secret-manager-contract.js';
export type { SecretManagerHarness } from './secret-manager-contract.js';
