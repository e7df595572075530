export { POD_MANAGER } from './pod-manager.js';
export type { PodManager } from './pod-manager.js';
export { MIRROR_POD_CLIENT } from './mirror-pod-client.js';
export type { MirrorPodClient } from './mirror-pod-client.js';
