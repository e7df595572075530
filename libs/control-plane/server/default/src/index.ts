export { healthChecks } from './endpoints/health/health-checks.js';
export { HttpServer, serverNeeds } from './http-server.js';
export type { ServerNeeds } from './http-server.js';
export { serverConfig } from './server-config.js';
export type { ServerConfig } from './server-config.js';
export { createHttpServer, serverModule } from './http-server.module.js';
export { assertNotServed } from './local/local-socket.js';
