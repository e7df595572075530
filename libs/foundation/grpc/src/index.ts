export { ClientCalls } from './client-calls.js';
export type { ClientCallOptions, GrpcMethod } from './client-calls.js';
export { PluginConnection } from './plugin-connection.js';
export type { PluginCallOptions, PluginConnectionOptions } from './plugin-connection.js';
export { fromServiceError } from './service-error.js';
export { SocketClient } from './socket-client.js';
export type { SocketCallOptions, SocketClientOptions } from './socket-client.js';
export { SocketServer, StatusError } from './socket-server.js';
export type { ServerMethod, SocketServerOptions } from './socket-server.js';
