import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { KUBE_TRANSPORT } from '@podwright/kube-client-interface';
import { TRACER } from '@podwright/tracing-interface';
import { kubeTransportConfigSchema } from './kube-transport-config.js';
import { KubeconfigTransport } from './kubeconfig-transport.js';

export const kubeTransportModule = defineModule({
  name: '@podwright/kube-client#transport',
  provides: [KUBE_TRANSPORT],
  requires: [CLOCK, LOGGER, METRICS],
  optional: [TRACER],
  config: kubeTransportConfigSchema,
  register: (container) => {
    container.registerSingleton(KubeconfigTransport);
    container.register(KUBE_TRANSPORT, { useToken: KubeconfigTransport }); // alias: both names give one instance
  },
});
