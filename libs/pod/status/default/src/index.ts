export { PodStatusManager, createPodStatusManager } from './pod-status-manager.js';
export type { PodStatusManagerDeps } from './pod-status-manager.js';
export { statusModule } from './pod-status-manager.module.js';
