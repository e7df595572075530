import 'reflect-metadata'; // tsyringe refuses to load without it

export { createLocalNode, LocalNode } from './local-node.js';
export type { LocalNodeDeps } from './local-node.js';
export { LOCAL_NODE_CONFIG, localNodeConfigSchema } from './local-node-config.js';
export type { LocalNodeConfig, NodeTaint } from './local-node-config.js';
export { localNodeModule } from './local-node.module.js';
export { initialNode } from './initial-node.js';
export type { RuntimeFacts } from './initial-node.js';
export { readMachineFacts } from './machine-facts.js';
export type { MachineFacts, MachinePlaces } from './machine-facts.js';
export { nodeAllocatable, nodeReservation } from './node-allocatable.js';
export type { ReservationOptions } from './node-allocatable.js';
export { nodeCapacity } from './node-capacity.js';
export type { CapacityOptions } from './node-capacity.js';
