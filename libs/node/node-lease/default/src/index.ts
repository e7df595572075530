import 'reflect-metadata'; // tsyringe refuses to load without it
export { createDefaultNodeLease, DefaultNodeLease } from './default-node-lease.js';
export type { DefaultNodeLeaseDeps } from './default-node-lease.js';
export { DEFAULT_NODE_LEASE_CONFIG, defaultNodeLeaseConfigSchema } from './default-node-lease-config.js';
export type { DefaultNodeLeaseConfig } from './default-node-lease-config.js';
export { defaultNodeLeaseModule } from './default-node-lease.module.js';
