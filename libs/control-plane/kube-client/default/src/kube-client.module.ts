import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { API_SERVER_WATCH, KUBE_CLIENT } from '@podwright/kube-client-interface';
import { kubeClientConfigSchema } from './kube-client-config.js';
import { kubeClientNeeds, TransportKubeClient } from './transport-kube-client.js';

export const kubeClientModule = defineModule({
  name: '@podwright/kube-client',
  provides: [KUBE_CLIENT, API_SERVER_WATCH],
  needs: kubeClientNeeds,
  config: kubeClientConfigSchema,
  create: (deps, config) => new TransportKubeClient(deps, config),
});

/** Creates a client without an assembly. Throws `invalid-argument` for options out of range. */
export const createKubeClient = factoryOf(kubeClientModule);
