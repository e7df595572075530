export { describeDraManagerContract } from './dra-manager-contract.js';
export { cdiName, preparedDevice } from './dra-harness.js';
export type { DraManagerHarness, FakeDriver, FakeDriverOptions } from './dra-harness.js';
export { allocatedClaim, podOf, podWithClaims } from './pod-with-claims.js';
export type { AllocatedClaim, PodWithClaims } from './pod-with-claims.js';
