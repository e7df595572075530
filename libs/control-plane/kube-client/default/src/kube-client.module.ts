import { CLOCK, defineModule, LOGGER, METRICS, RANDOM } from '@podwright/assembly-interface';
import { KUBE_CLIENT, KUBE_TRANSPORT } from '@podwright/kube-client-interface';
import { kubeClientConfigSchema } from './kube-client-config.js';
import { TransportKubeClient } from './transport-kube-client.js';

export const kubeClientModule = defineModule({
  name: '@podwright/kube-client',
  provides: [KUBE_CLIENT],
  requires: [KUBE_TRANSPORT, CLOCK, RANDOM, LOGGER, METRICS],
  config: kubeClientConfigSchema,
  register: (container) => {
    container.registerSingleton(TransportKubeClient);
    container.register(KUBE_CLIENT, { useToken: TransportKubeClient }); // alias: both names give one instance
  },
});
