export { CONFIGMAP_MANAGER } from './configmap-manager.js';
export type { ConfigMapManager } from './configmap-manager.js';
