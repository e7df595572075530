export { ApiMirrorPods, apiMirrorPodsNeeds } from './api-mirror-pods.js';
export { apiMirrorPodsModule, createApiMirrorPods } from './api-mirror-pods.module.js';
export { MemoryPodManager, podManagerNeeds } from './memory-pod-manager.js';
export { createPodManager, podManagerModule } from './memory-pod-manager.module.js';
export { createPodsRoutes, podsRoutesModule, podsRoutesNeeds } from './routes/pods-routes.module.js';
export type { PodsRoutesNeeds } from './routes/pods-routes.module.js';
export { orphanedMirrorPodsModule } from './orphaned-mirror-pods.module.js';
