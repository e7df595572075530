export { KUBELET_SERVER } from './server.js';
export type { HealthCheck, KubeletServer } from './server.js';
