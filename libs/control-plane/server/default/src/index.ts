import 'reflect-metadata'; // tsyringe refuses to load without it

export { HttpServer, createHttpServer } from './http-server.js';
export type { HttpServerDeps } from './http-server.js';
export { SERVER_CONFIG, serverConfig } from './server-config.js';
export type { ServerConfig } from './server-config.js';
export { serverModule } from './http-server.module.js';
