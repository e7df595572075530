import 'reflect-metadata'; // tsyringe refuses to load without it

export { PodStatusManager, createPodStatusManager } from './pod-status-manager.js';
export type { PodStatusManagerDeps } from './pod-status-manager.js';
export { statusModule } from './pod-status-manager.module.js';
