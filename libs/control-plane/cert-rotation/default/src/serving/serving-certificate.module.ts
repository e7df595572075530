import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { SERVING_CERTIFICATE } from '@podwright/cert-rotation-interface';
import { servingCertificateConfigSchema } from './serving-certificate-config.js';
import { ServingCertificateManager, servingCertificateNeeds } from './serving-certificate-manager.js';

export const servingCertificateModule = defineModule({
  name: '@podwright/cert-rotation#serving',
  provides: [SERVING_CERTIFICATE],
  needs: servingCertificateNeeds,
  config: servingCertificateConfigSchema,
  create: (deps, config) => new ServingCertificateManager(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createServingCertificate = factoryOf(servingCertificateModule);
