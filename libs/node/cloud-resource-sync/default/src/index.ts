import 'reflect-metadata'; // tsyringe refuses to load without it
export { createDefaultCloudResourceSync, DefaultCloudResourceSync } from './default-cloud-resource-sync.js';
export type { DefaultCloudResourceSyncDeps } from './default-cloud-resource-sync.js';
export {
  DEFAULT_CLOUD_RESOURCE_SYNC_CONFIG,
  defaultCloudResourceSyncConfigSchema,
} from './default-cloud-resource-sync-config.js';
export type { DefaultCloudResourceSyncConfig } from './default-cloud-resource-sync-config.js';
export { defaultCloudResourceSyncModule } from './default-cloud-resource-sync.module.js';
