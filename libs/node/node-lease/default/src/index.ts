import 'reflect-metadata'; // tsyringe refuses to load without it
export { createRenewingNodeLease, RenewingNodeLease } from './renewing-node-lease.js';
export type { RenewingNodeLeaseDeps } from './renewing-node-lease.js';
export { RENEWING_NODE_LEASE_CONFIG, renewingNodeLeaseConfigSchema } from './renewing-node-lease-config.js';
export type { RenewingNodeLeaseConfig } from './renewing-node-lease-config.js';
export { renewingNodeLeaseModule } from './renewing-node-lease.module.js';
