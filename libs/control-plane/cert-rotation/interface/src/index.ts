export { CLIENT_CERTIFICATE, SERVING_CERTIFICATE } from './certificate-manager.js';
export type { CertificateManager, CertificatePair } from './certificate-manager.js';
export { CREDENTIALS_LOST } from './credentials-lost.js';
export type { CredentialsLost } from './credentials-lost.js';
