import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { CONTAINER_RUNTIME } from '@podwright/container-runtime-interface';
import { POD_CACHE_WRITER } from '@podwright/pod-cache-interface';
import { POD_RELIST } from '@podwright/pod-relist-interface';
import { listingPodRelistConfigSchema } from './listing-pod-relist-config.js';
import { ListingPodRelist } from './listing-pod-relist.js';

export const podRelistModule = defineModule({
  name: '@podwright/pod-relist',
  provides: [POD_RELIST],
  requires: [CONTAINER_RUNTIME, POD_CACHE_WRITER, CLOCK, LOGGER, METRICS],
  config: listingPodRelistConfigSchema,
  register: (container) => {
    container.registerSingleton(ListingPodRelist);
    container.register(POD_RELIST, { useToken: ListingPodRelist });
  },
});
