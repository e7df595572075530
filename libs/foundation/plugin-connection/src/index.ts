export { PluginConnection } from './plugin-connection.js';
export type { PluginCallOptions, PluginConnectionOptions, PluginMethod } from './plugin-connection.js';
export { goRpcError } from './rpc-error.js';
