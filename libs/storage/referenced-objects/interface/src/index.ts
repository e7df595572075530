export { CONFIGMAP_MANAGER, SECRET_MANAGER } from './referenced-object-manager.js';
export type { ConfigMapManager, ReferencedObjectManager, SecretManager } from './referenced-object-manager.js';
