import { CLOCK, defineModule, LOGGER } from '@podwright/assembly-interface';
import { CLOUD_RESOURCE_SYNC } from '@podwright/cloud-resource-sync-interface';
import { REGISTERED_NODE } from '@podwright/node-status-interface';
import { watchedCloudResourcesConfigSchema } from './watched-cloud-resources-config.js';
import { WatchedCloudResources } from './watched-cloud-resources.js';

export const watchedCloudResourcesModule = defineModule({
  name: '@podwright/cloud-resource-sync',
  provides: [CLOUD_RESOURCE_SYNC],
  requires: [REGISTERED_NODE, CLOCK, LOGGER],
  config: watchedCloudResourcesConfigSchema,
  register: (container) => {
    container.registerSingleton(WatchedCloudResources);
    container.register(CLOUD_RESOURCE_SYNC, { useToken: WatchedCloudResources }); // alias: both names give one instance
  },
});
