export { WatchedCloudResources, watchedCloudResourcesNeeds } from './watched-cloud-resources.js';
export type { WatchedCloudResourcesNeeds } from './watched-cloud-resources.js';
export { watchedCloudResourcesConfigSchema } from './watched-cloud-resources-config.js';
export type { WatchedCloudResourcesConfig } from './watched-cloud-resources-config.js';
export { createWatchedCloudResources, watchedCloudResourcesModule } from './watched-cloud-resources.module.js';
