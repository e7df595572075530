import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { POD_RELIST } from '@podwright/pod-relist-interface';
import { listingPodRelistConfigSchema } from './listing-pod-relist-config.js';
import { ListingPodRelist, podRelistNeeds } from './listing-pod-relist.js';

export const podRelistModule = defineModule({
  name: '@podwright/pod-relist',
  provides: [POD_RELIST],
  needs: podRelistNeeds,
  config: listingPodRelistConfigSchema,
  create: (deps, config) => new ListingPodRelist(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createPodRelist = factoryOf(podRelistModule);
