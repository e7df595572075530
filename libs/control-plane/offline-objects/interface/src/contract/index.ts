export { describeOfflineObjectsContract } from './offline-objects-contract.js';
export type { OfflineObjectsHarness } from './offline-objects-contract.js';
