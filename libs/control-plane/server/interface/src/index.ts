export { KUBELET_PROCESS } from './kubelet-process.js';
export type { KubeletProcess } from './kubelet-process.js';
export type { Route, ServerRequest } from './route.js';
export { LOOPBACK_LISTENERS } from './loopback-listener.js';
export type { LoopbackListener } from './loopback-listener.js';
export { LOCAL_ROUTES, METRICS_PAGES, SERVER_ROUTES } from './server-routes.js';
export type { MetricsPage, ServerRoute } from './server-routes.js';
export { HEALTH_CHECKS, KUBELET_SERVER } from './server.js';
export type { HealthCheck, KubeletServer, ServerAddresses } from './server.js';
