export { describePlegContract } from './pleg-contract.js';
export type { PlegCapabilities, PlegHarness } from './pleg-contract.js';
