export { describeCloudResourceSyncContract } from './cloud-resource-sync-contract.js';
export type { CloudResourceSyncHarness } from './cloud-resource-sync-contract.js';
