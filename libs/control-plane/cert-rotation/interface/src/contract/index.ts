export { describeCertificateManagerContract } from './certificate-manager-contract.js';
export type { CertificateManagerHarness } from './certificate-manager-contract.js';
