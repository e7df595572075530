export { NODE_LEASE } from './node-lease.js';
export type { NodeLease } from './node-lease.js';
