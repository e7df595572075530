import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { KUBE_TRANSPORT } from '@podwright/kube-client-interface';
import { kubeTransportConfigSchema } from './kube-transport-config.js';
import { KubeconfigTransport, kubeTransportNeeds } from './kubeconfig-transport.js';

export const kubeTransportModule = defineModule({
  name: '@podwright/kube-transport',
  provides: [KUBE_TRANSPORT],
  needs: kubeTransportNeeds,
  config: kubeTransportConfigSchema,
  create: (deps, config) => new KubeconfigTransport(deps, config),
});

/**
 * Creates one without an assembly; the caller starts and stops it. Throws `invalid-argument` for options out of
 * range.
 */
export const createKubeTransport = factoryOf(kubeTransportModule);
