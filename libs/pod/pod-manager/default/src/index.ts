import 'reflect-metadata'; // tsyringe refuses to load without it

export { ApiMirrorPods, createApiMirrorPods } from './api-mirror-pods.js';
export type { ApiMirrorPodsDeps } from './api-mirror-pods.js';
export { apiMirrorPodsModule } from './api-mirror-pods.module.js';
export { createPodManager, MemoryPodManager } from './memory-pod-manager.js';
export { podManagerModule } from './memory-pod-manager.module.js';
