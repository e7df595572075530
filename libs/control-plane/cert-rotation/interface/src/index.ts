export { CLIENT_CERTIFICATE, SERVING_CERTIFICATE } from './cert-rotation.js';
export type { CertificateManager, CertificatePair } from './cert-rotation.js';
