import { CLOCK, defineModule, LOGGER, METRICS, RANDOM } from '@podwright/assembly-interface';
import { SERVING_CERTIFICATE } from '@podwright/cert-rotation-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { servingCertificateConfigSchema } from './serving-certificate-config.js';
import { ServingCertificateManager } from './serving-certificate-manager.js';

export const servingCertificateModule = defineModule({
  name: '@podwright/cert-rotation#serving',
  provides: [SERVING_CERTIFICATE],
  requires: [CLOCK, RANDOM, LOGGER, METRICS],
  optional: [KUBE_CLIENT, NODE_SOURCE],
  config: servingCertificateConfigSchema,
  register: (container) => {
    container.registerSingleton(ServingCertificateManager);
    container.register(SERVING_CERTIFICATE, { useToken: ServingCertificateManager }); // alias: both names give one instance
  },
});
