import { contribution, defineModule, factoryOf } from '@podwright/assembly-interface';
import { LOCAL_ROUTES } from '@podwright/server-interface';
import { localApiConfig, type LocalApiConfig } from './local-api-config.js';
import { localApiNeeds, type LocalApiNeeds } from './local-api-needs.js';
import { LocalApi } from './local-api.js';

export const localApiModule = defineModule({
  name: '@podwright/local-api',
  provides: [],
  needs: localApiNeeds,
  config: localApiConfig,
  create: (deps: LocalApiNeeds, config: LocalApiConfig) => new LocalApi(deps, config),
  contributes: [contribution(LOCAL_ROUTES, (api: LocalApi) => api.routes())],
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createLocalApi = factoryOf(localApiModule);
