export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from './test-functions.js';
export { describeContractProof } from './contract-proof.js';
export type { Breakages } from './contract-proof.js';
export type { Breakage, Ways } from './faults-of-case.js';
export { breaks, breaksIn, refusesSecondStop } from './breaks.js';
