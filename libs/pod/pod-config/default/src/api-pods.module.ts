import { CLOCK, defineModule, LOGGER } from '@podwright/assembly-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { REGISTERED_NODE } from '@podwright/node-status-interface';
import { API_POD_SOURCE, API_POD_STORE } from '@podwright/pod-config-interface';
import { apiPodsConfigSchema } from './api-pods-config.js';
import { ApiPods } from './api-pods.js';

export const apiPodsModule = defineModule({
  name: '@podwright/pod-config#api',
  provides: [API_POD_SOURCE, API_POD_STORE],
  requires: [KUBE_CLIENT, REGISTERED_NODE, CLOCK, LOGGER],
  config: apiPodsConfigSchema,
  register: (container) => {
    container.registerSingleton(ApiPods);
    container.register(API_POD_SOURCE, { useToken: ApiPods });
    container.register(API_POD_STORE, { useToken: ApiPods });
  },
});
