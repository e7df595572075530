import { CLOCK, defineModule, factoryOf, LOGGER, METRICS, needs, type Needs } from '@podwright/assembly-interface';
import { KUBE_TRANSPORT_FACTORY, type KubeTransportFactory } from '@podwright/kube-client-interface';
import { createKubeTransport } from './kube-transport.module.js';

export const kubeTransportsNeeds = needs({ clock: CLOCK, logger: LOGGER, metrics: METRICS });

export const kubeTransportsModule = defineModule({
  name: '@podwright/kube-transport#factory',
  provides: [KUBE_TRANSPORT_FACTORY],
  needs: kubeTransportsNeeds,
  create: (deps: Needs<typeof kubeTransportsNeeds>): KubeTransportFactory => ({
    fromKubeconfig: (kubeconfig) => createKubeTransport(deps, { kubeconfig }),
  }),
});

/** Creates the factory without an assembly. */
export const createKubeTransports = factoryOf(kubeTransportsModule);
