import { CLOCK, defineModule, LOGGER, METRICS, RANDOM } from '@podwright/assembly-interface';
import { KUBE_CLIENT_FACTORY } from '@podwright/kube-client-interface';
import { KubeconfigClients } from './kubeconfig-clients.js';
import { kubeconfigClientsConfigSchema } from './kubeconfig-clients-config.js';

export const kubeconfigClientsModule = defineModule({
  name: '@podwright/kube-client#factory',
  provides: [KUBE_CLIENT_FACTORY],
  requires: [CLOCK, RANDOM, LOGGER, METRICS],
  config: kubeconfigClientsConfigSchema,
  register: (container) => {
    container.registerSingleton(KubeconfigClients);
    container.register(KUBE_CLIENT_FACTORY, { useToken: KubeconfigClients }); // alias: both names give one instance
  },
});
