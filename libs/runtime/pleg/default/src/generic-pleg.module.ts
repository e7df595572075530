import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { CONTAINER_RUNTIME } from '@podwright/container-runtime-interface';
import { PLEG, RELIST_CONTROL } from '@podwright/pleg-interface';
import { POD_CACHE_WRITER } from '@podwright/pod-cache-interface';
import { genericPlegConfigSchema } from './generic-pleg-config.js';
import { GenericPleg } from './generic-pleg.js';

export const genericPlegModule = defineModule({
  name: '@podwright/pleg',
  provides: [PLEG, RELIST_CONTROL],
  requires: [CONTAINER_RUNTIME, POD_CACHE_WRITER, CLOCK, LOGGER, METRICS],
  config: genericPlegConfigSchema,
  register: (container) => {
    container.registerSingleton(GenericPleg);
    container.register(PLEG, { useToken: GenericPleg }); // alias: all names give one instance
    container.register(RELIST_CONTROL, { useToken: GenericPleg });
  },
});
