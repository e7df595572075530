import { CLOCK, defineModule, LOGGER } from '@podwright/assembly-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { LOG_ROTATION } from '@podwright/log-rotation-interface';
import { RUNTIME_VIEW } from '@podwright/pleg-interface';
import { POD_CACHE } from '@podwright/pod-cache-interface';
import { gzipLogRotationConfigSchema } from './gzip-log-rotation-config.js';
import { GzipLogRotation } from './gzip-log-rotation.js';

export const logRotationModule = defineModule({
  name: '@podwright/log-rotation',
  provides: [LOG_ROTATION],
  requires: [RUNTIME_SERVICE, CLOCK, LOGGER],
  optional: [RUNTIME_VIEW, POD_CACHE],
  config: gzipLogRotationConfigSchema,
  register: (container) => {
    container.registerSingleton(GzipLogRotation);
    container.register(LOG_ROTATION, { useToken: GzipLogRotation }); // alias: both names give one instance
  },
});
