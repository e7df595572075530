export { CLOUD_RESOURCE_SYNC } from './cloud-resource-sync.js';
export type { CloudResourceSync } from './cloud-resource-sync.js';
