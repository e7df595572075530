export { describeLocalObjectsContract } from './local-objects-contract.js';
export type { LocalObjectsHarness } from './local-objects-contract.js';
export { VolatileLocalObjects } from './volatile-local-objects.js';
export type { VolatileDisk } from './volatile-local-objects.js';
