export { KUBELET_PROCESS } from './kubelet-process.js';
export type { KubeletProcess } from './kubelet-process.js';
export { KUBELET_SERVER } from './server.js';
export type { HealthCheck, KubeletServer } from './server.js';
