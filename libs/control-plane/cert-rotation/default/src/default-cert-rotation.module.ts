import { defineModule, LOGGER } from '@podwright/assembly-interface';
import { CERT_ROTATION } from '@podwright/cert-rotation-interface';
import { DefaultCertRotation } from './default-cert-rotation.js';
import { defaultCertRotationConfigSchema } from './default-cert-rotation-config.js';

export const defaultCertRotationModule = defineModule({
  name: '@podwright/cert-rotation',
  provides: [CERT_ROTATION],
  requires: [LOGGER],
  config: defaultCertRotationConfigSchema,
  register: (container) => {
    container.registerSingleton(DefaultCertRotation);
    container.register(CERT_ROTATION, { useToken: DefaultCertRotation }); // alias: both names give one instance
  },
});
