export type { GrpcMethod } from './client-calls.js';
export { grpcStatus } from './grpc-status.js';
export { PluginConnection } from './plugin-connection.js';
export type { PluginCallOptions, PluginConnectionOptions } from './plugin-connection.js';
export { isSocketServed } from './served-socket.js';
export { SocketClient } from './socket-client.js';
export type { SocketCallOptions, SocketClientOptions } from './socket-client.js';
export { SocketServer, StatusError } from './socket-server.js';
export type { ServerMethod, SocketServerOptions } from './socket-server.js';
