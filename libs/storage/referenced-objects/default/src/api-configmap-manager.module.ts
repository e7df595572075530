import { CLOCK, defineModule, LOGGER } from '@podwright/assembly-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { CONFIGMAP_MANAGER } from '@podwright/configmap-interface';
import { ApiConfigMapManager } from './api-configmap-manager.js';
import { apiConfigMapsConfigSchema } from './referenced-objects-config.js';

export const apiConfigMapsModule = defineModule({
  name: '@podwright/referenced-objects#configmaps',
  provides: [CONFIGMAP_MANAGER],
  requires: [KUBE_CLIENT, NODE_SOURCE, CLOCK, LOGGER],
  config: apiConfigMapsConfigSchema,
  register: (container) => {
    container.registerSingleton(ApiConfigMapManager);
    container.register(CONFIGMAP_MANAGER, { useToken: ApiConfigMapManager }); // alias: both names give one instance
  },
});
