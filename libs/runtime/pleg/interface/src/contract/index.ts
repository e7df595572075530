export { describePlegContract } from './pleg-contract.js';
export type { EventFault, PlegCapabilities, PlegHarness } from './pleg-contract.js';
