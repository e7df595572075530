import { defineModule, LOGGER } from '@podwright/assembly-interface';
import { CLOUD_RESOURCE_SYNC } from '@podwright/cloud-resource-sync-interface';
import { DefaultCloudResourceSync } from './default-cloud-resource-sync.js';
import { defaultCloudResourceSyncConfigSchema } from './default-cloud-resource-sync-config.js';

export const defaultCloudResourceSyncModule = defineModule({
  name: '@podwright/cloud-resource-sync',
  provides: [CLOUD_RESOURCE_SYNC],
  requires: [LOGGER],
  config: defaultCloudResourceSyncConfigSchema,
  register: (container) => {
    container.registerSingleton(DefaultCloudResourceSync);
    container.register(CLOUD_RESOURCE_SYNC, { useToken: DefaultCloudResourceSync }); // alias: both names give one instance
  },
});
