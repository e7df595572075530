import { defineModule } from '@podwright/assembly-interface';
import { SERVICE_SOURCE } from '@podwright/container-environment-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { ApiServices } from './api-services.js';

export const apiServicesModule = defineModule({
  name: '@podwright/container-environment#api-services',
  provides: [SERVICE_SOURCE],
  requires: [KUBE_CLIENT],
  register: (container) => {
    container.registerSingleton(ApiServices);
    container.register(SERVICE_SOURCE, { useToken: ApiServices }); // alias: both names give one instance
  },
});
