export { describePodCertificatesContract } from './pod-certificate-contract.js';
export type { PodCertificatesHarness, SignerAnswer } from './pod-certificate-contract.js';
export { describeStandalonePodCertificatesContract } from './standalone-pod-certificate-contract.js';
