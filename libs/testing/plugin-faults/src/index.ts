export type { PluginFault } from './plugin-fault.js';
export { PluginFaults } from './plugin-faults.js';
export { withFault } from './with-fault.js';
export type { FaultSurroundings, RpcCall } from './with-fault.js';
