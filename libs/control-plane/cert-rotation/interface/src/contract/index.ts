export { describeCertRotationContract } from './cert-rotation-contract.js';
export type { CertRotationHarness } from './cert-rotation-contract.js';
