import 'reflect-metadata'; // tsyringe refuses to load without it
export { createDefaultCertRotation, DefaultCertRotation } from './default-cert-rotation.js';
export type { DefaultCertRotationDeps } from './default-cert-rotation.js';
export { DEFAULT_CERT_ROTATION_CONFIG, defaultCertRotationConfigSchema } from './default-cert-rotation-config.js';
export type { DefaultCertRotationConfig } from './default-cert-rotation-config.js';
export { defaultCertRotationModule } from './default-cert-rotation.module.js';
