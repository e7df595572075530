export { RenewingNodeLease, renewingNodeLeaseNeeds } from './renewing-node-lease.js';
export type { RenewingNodeLeaseNeeds } from './renewing-node-lease.js';
export { renewingNodeLeaseConfigSchema } from './renewing-node-lease-config.js';
export type { RenewingNodeLeaseConfig } from './renewing-node-lease-config.js';
export { createRenewingNodeLease, renewingNodeLeaseModule } from './renewing-node-lease.module.js';
