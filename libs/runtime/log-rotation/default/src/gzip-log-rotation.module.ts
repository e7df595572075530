import { CLOCK, defineModule, LOGGER } from '@podwright/assembly-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { LOG_ROTATION } from '@podwright/log-rotation-interface';
import { gzipLogRotationConfigSchema } from './gzip-log-rotation-config.js';
import { GzipLogRotation } from './gzip-log-rotation.js';

export const logRotationModule = defineModule({
  name: '@podwright/log-rotation',
  provides: [LOG_ROTATION],
  requires: [RUNTIME_SERVICE, CLOCK, LOGGER],
  config: gzipLogRotationConfigSchema,
  register: (container) => {
    container.registerSingleton(GzipLogRotation);
    container.register(LOG_ROTATION, { useToken: GzipLogRotation }); // alias: both names give one instance
  },
});
