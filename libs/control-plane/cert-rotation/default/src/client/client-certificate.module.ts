import { CLOCK, defineModule, LOGGER, METRICS, RANDOM } from '@podwright/assembly-interface';
import { CLIENT_CERTIFICATE, CREDENTIALS_LOST } from '@podwright/cert-rotation-interface';
import { KUBE_CLIENT, KUBE_CLIENT_FACTORY, KUBE_TRANSPORT } from '@podwright/kube-client-interface';
import { clientCertificateConfigSchema } from './client-certificate-config.js';
import { ClientCertificateManager } from './client-certificate-manager.js';

/** Belongs into an assembly with `rotateCertificates` only. */
export const clientCertificateModule = defineModule({
  name: '@podwright/cert-rotation#client',
  provides: [CLIENT_CERTIFICATE],
  requires: [KUBE_CLIENT, KUBE_CLIENT_FACTORY, KUBE_TRANSPORT, CLOCK, RANDOM, LOGGER, METRICS],
  optional: [CREDENTIALS_LOST],
  config: clientCertificateConfigSchema,
  register: (container) => {
    container.registerSingleton(ClientCertificateManager);
    container.register(CLIENT_CERTIFICATE, { useToken: ClientCertificateManager }); // alias: both names give one instance
  },
});
