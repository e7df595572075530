import {
  booleanField,
  CLOCK,
  defineConfig,
  defineModule,
  factoryOf,
  LOGGER,
  METRICS,
  needs,
  type Needs,
} from '@podwright/assembly-interface';
import { KUBE_TRANSPORT_FACTORY, type KubeTransportFactory } from '@podwright/kube-client-interface';
import { createKubeTransport } from './kube-transport.module.js';

export const kubeTransportsNeeds = needs({ clock: CLOCK, logger: LOGGER, metrics: METRICS });

export interface KubeTransportsConfig {
  /** As in KubeTransportConfig. */
  readonly reloadAuthority: boolean;
}

export const kubeTransportsModule = defineModule({
  name: '@podwright/kube-transport#factory',
  provides: [KUBE_TRANSPORT_FACTORY],
  needs: kubeTransportsNeeds,
  config: defineConfig<KubeTransportsConfig>({ reloadAuthority: booleanField(true) }),
  create: (deps: Needs<typeof kubeTransportsNeeds>, config): KubeTransportFactory => ({
    fromKubeconfig: (kubeconfig) => createKubeTransport(deps, { ...config, kubeconfig }),
  }),
});

/** Creates the factory without an assembly. */
export const createKubeTransports = factoryOf(kubeTransportsModule);
