import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { CLIENT_CERTIFICATE } from '@podwright/cert-rotation-interface';
import { clientCertificateConfigSchema } from './client-certificate-config.js';
import { ClientCertificateManager, clientCertificateNeeds } from './client-certificate-manager.js';

/** Include it in an assembly only with `rotateCertificates`. */
export const clientCertificateModule = defineModule({
  name: '@podwright/cert-rotation#client',
  provides: [CLIENT_CERTIFICATE],
  needs: clientCertificateNeeds,
  config: clientCertificateConfigSchema,
  create: (deps, config) => new ClientCertificateManager(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createClientCertificate = factoryOf(clientCertificateModule);
