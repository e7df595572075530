export { POD_MANAGER } from './pod-manager.js';
export type { PodManager } from './pod-manager.js';
