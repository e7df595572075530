import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { API_POD_SOURCE, API_POD_STORE } from '@podwright/pod-config-interface';
import { apiPodsConfigSchema } from './api-pods-config.js';
import { ApiPods, apiPodsNeeds } from './api-pods.js';

export const apiPodsModule = defineModule({
  name: '@podwright/pod-config#api',
  provides: [API_POD_SOURCE, API_POD_STORE],
  needs: apiPodsNeeds,
  config: apiPodsConfigSchema,
  create: (deps, config) => new ApiPods(deps, config),
});

/** Creates one without an assembly. */
export const createApiPods = factoryOf(apiPodsModule);
