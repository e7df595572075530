import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { CACHE_VOUCHING, EVENT_STREAM, RUNTIME_VIEW } from '@podwright/evented-pleg-interface';
import { PLEG, RELIST_CONTROL } from '@podwright/pleg-interface';
import { eventedPlegConfigSchema } from './evented-pleg-config.js';
import { EventedPleg, eventedPlegNeeds } from './evented-pleg.js';

export const eventedPlegModule = defineModule({
  name: '@podwright/evented-pleg',
  provides: [PLEG, RELIST_CONTROL, EVENT_STREAM, RUNTIME_VIEW, CACHE_VOUCHING],
  needs: eventedPlegNeeds,
  config: eventedPlegConfigSchema,
  create: (deps, config) => new EventedPleg(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createEventedPleg = factoryOf(eventedPlegModule);
