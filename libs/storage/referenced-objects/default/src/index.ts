export {
  apiConfigMapsModule,
  apiSecretsModule,
  createApiConfigMapManager,
  createApiSecretManager,
} from './api-objects.module.js';
export {
  createLocalConfigMapManager,
  createLocalSecretManager,
  localConfigMapsModule,
  localSecretsModule,
} from './local-objects.module.js';
export { LocalReferencedObjects, localReferencedObjectsNeeds } from './local-referenced-objects.js';
export type { LocalReferencedKind } from './local-referenced-objects.js';
export { podConfigMapNames, podSecretNames } from './pod-references.js';
export { ReferencedObjects, referencedObjectsNeeds } from './referenced-objects.js';
export type { ReferencedKind, ReferencedObjectsNeeds } from './referenced-objects.js';
export { referencedObjectsConfigSchema } from './referenced-objects-config.js';
export type { ReferencedObjectsConfig } from './referenced-objects-config.js';
export { StandaloneObjects } from './standalone-objects.js';
export {
  createStandaloneConfigMapManager,
  createStandaloneSecretManager,
  standaloneConfigMapsModule,
  standaloneSecretsModule,
} from './standalone-objects.module.js';
