import { defineModule, LOGGER } from '@podwright/assembly-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { DefaultKubeClient } from './default-kube-client.js';
import { defaultKubeClientConfigSchema } from './default-kube-client-config.js';

export const defaultKubeClientModule = defineModule({
  name: '@podwright/kube-client',
  provides: [KUBE_CLIENT],
  requires: [LOGGER],
  config: defaultKubeClientConfigSchema,
  register: (container) => {
    container.registerSingleton(DefaultKubeClient);
    container.register(KUBE_CLIENT, { useToken: DefaultKubeClient }); // alias: both names give one instance
  },
});
