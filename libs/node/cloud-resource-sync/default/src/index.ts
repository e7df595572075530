import 'reflect-metadata'; // tsyringe refuses to load without it
export { createWatchedCloudResources, WatchedCloudResources } from './watched-cloud-resources.js';
export type { WatchedCloudResourcesDeps } from './watched-cloud-resources.js';
export { WATCHED_CLOUD_RESOURCES_CONFIG, watchedCloudResourcesConfigSchema } from './watched-cloud-resources-config.js';
export type { WatchedCloudResourcesConfig } from './watched-cloud-resources-config.js';
export { watchedCloudResourcesModule } from './watched-cloud-resources.module.js';
