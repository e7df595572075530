export { IssuingPodCertificates, issuingPodCertificatesNeeds } from './issuing-pod-certificates.js';
export type { IssuingPodCertificatesNeeds } from './issuing-pod-certificates.js';
export { issuingPodCertificatesConfigSchema } from './issuing-pod-certificates-config.js';
export type { IssuingPodCertificatesConfig } from './issuing-pod-certificates-config.js';
export { apiPodCertificateModule, createIssuingPodCertificates } from './issuing-pod-certificates.module.js';
export { StandalonePodCertificates } from './standalone-pod-certificates.js';
export { createStandalonePodCertificates, podCertificateModule } from './standalone-pod-certificates.module.js';
