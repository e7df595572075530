import 'reflect-metadata'; // tsyringe refuses to load without it

export { ApiConfigMapManager, createApiConfigMapManager } from './api-configmap-manager.js';
export { apiConfigMapsModule } from './api-configmap-manager.module.js';
export { ApiSecretManager, createApiSecretManager } from './api-secret-manager.js';
export { apiSecretsModule } from './api-secret-manager.module.js';
export { podConfigMapNames, podSecretNames } from './pod-references.js';
export { ReferencedObjects } from './referenced-objects.js';
export type { ReferencedKind, ReferencedObjectsDeps } from './referenced-objects.js';
export {
  API_CONFIGMAPS_CONFIG,
  API_SECRETS_CONFIG,
  apiConfigMapsConfigSchema,
  apiSecretsConfigSchema,
} from './referenced-objects-config.js';
export type { ReferencedObjectsConfig } from './referenced-objects-config.js';
