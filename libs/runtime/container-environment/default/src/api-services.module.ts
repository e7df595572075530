import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { SERVICE_SOURCE } from '@podwright/container-environment-interface';
import { ApiServices, apiServicesNeeds } from './api-services.js';

export const apiServicesModule = defineModule({
  name: '@podwright/container-environment#api-services',
  provides: [SERVICE_SOURCE],
  needs: apiServicesNeeds,
  create: (deps) => new ApiServices(deps),
});

/** Creates one without an assembly. */
export const createApiServices = factoryOf(apiServicesModule);
