import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { PLEG, RELIST_CONTROL } from '@podwright/pleg-interface';
import { POD_RELIST } from '@podwright/pod-relist-interface';
import { genericPlegConfigSchema } from './generic-pleg-config.js';
import { GenericPleg } from './generic-pleg.js';

export const genericPlegModule = defineModule({
  name: '@podwright/pleg',
  provides: [PLEG, RELIST_CONTROL],
  requires: [POD_RELIST, CLOCK, LOGGER, METRICS],
  config: genericPlegConfigSchema,
  register: (container) => {
    container.registerSingleton(GenericPleg);
    container.register(PLEG, { useToken: GenericPleg }); // alias: all names give one instance
    container.register(RELIST_CONTROL, { useToken: GenericPleg });
  },
});
