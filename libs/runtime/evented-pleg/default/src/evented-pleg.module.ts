import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { PLEG, RELIST_CONTROL, RUNTIME_VIEW } from '@podwright/pleg-interface';
import { POD_RELIST } from '@podwright/pod-relist-interface';
import { eventedPlegConfigSchema } from './evented-pleg-config.js';
import { EventedPleg } from './evented-pleg.js';

export const eventedPlegModule = defineModule({
  name: '@podwright/evented-pleg',
  provides: [PLEG, RELIST_CONTROL, RUNTIME_VIEW],
  requires: [POD_RELIST, RUNTIME_SERVICE, CLOCK, LOGGER, METRICS],
  config: eventedPlegConfigSchema,
  register: (container) => {
    container.registerSingleton(EventedPleg);
    container.register(PLEG, { useToken: EventedPleg }); // alias: all names give one instance
    container.register(RELIST_CONTROL, { useToken: EventedPleg });
    container.register(RUNTIME_VIEW, { useToken: EventedPleg });
  },
});
