export { POD_CERTIFICATES } from './pod-certificate.js';
export type { CredentialBundle, PodCertificates } from './pod-certificate.js';
