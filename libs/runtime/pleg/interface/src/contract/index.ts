export { describePlegContract } from './pleg-contract.js';
export type { ContainerChange, PlegCapabilities, PlegHarness } from './pleg-contract.js';
