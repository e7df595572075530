import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { CLOUD_RESOURCE_SYNC } from '@podwright/cloud-resource-sync-interface';
import { watchedCloudResourcesConfigSchema } from './watched-cloud-resources-config.js';
import { WatchedCloudResources, watchedCloudResourcesNeeds } from './watched-cloud-resources.js';

export const watchedCloudResourcesModule = defineModule({
  name: '@podwright/cloud-resource-sync',
  provides: [CLOUD_RESOURCE_SYNC],
  needs: watchedCloudResourcesNeeds,
  config: watchedCloudResourcesConfigSchema,
  create: (deps, config) => new WatchedCloudResources(deps, config),
});

/** Creates one without an assembly; `nodeName` is required. Throws `invalid-argument` for options out of range. */
export const createWatchedCloudResources = factoryOf(watchedCloudResourcesModule);
