import 'reflect-metadata'; // tsyringe refuses to load without it
export { prepareBootstrapKubeconfig } from './bootstrap/prepare-bootstrap-kubeconfig.js';
export type { BootstrapDeps, BootstrapOptions } from './bootstrap/prepare-bootstrap-kubeconfig.js';
export type { FirstCertificateDeps } from './bootstrap/first-certificate.js';
export { ClientCertificateManager, createClientCertificate } from './client/client-certificate-manager.js';
export type { ClientCertificateDeps } from './client/client-certificate-manager.js';
export { CLIENT_CERTIFICATE_CONFIG, clientCertificateConfigSchema } from './client/client-certificate-config.js';
export type { ClientCertificateConfig } from './client/client-certificate-config.js';
export { clientCertificateModule } from './client/client-certificate.module.js';
export { createServingCertificate, ServingCertificateManager } from './serving/serving-certificate-manager.js';
export type { ServingCertificateDeps } from './serving/serving-certificate-manager.js';
export { SERVING_CERTIFICATE_CONFIG, servingCertificateConfigSchema } from './serving/serving-certificate-config.js';
export type { ServingCertificateConfig } from './serving/serving-certificate-config.js';
export { servingCertificateModule } from './serving/serving-certificate.module.js';
