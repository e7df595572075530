export { POD_RELIST } from './pod-relist.js';
export type { PodRelist } from './pod-relist.js';
