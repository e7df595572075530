export { describePodsApiContract } from './pods-api-contract.js';
export type { PodsApiHarness } from './pods-api-contract.js';
export { PodsApiClient } from './pods-api-client.js';
