import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { PLEG, RELIST_CONTROL } from '@podwright/pleg-interface';
import { genericPlegConfigSchema } from './generic-pleg-config.js';
import { GenericPleg, genericPlegNeeds } from './generic-pleg.js';

export const genericPlegModule = defineModule({
  name: '@podwright/pleg',
  provides: [PLEG, RELIST_CONTROL],
  needs: genericPlegNeeds,
  config: genericPlegConfigSchema,
  create: (deps, config) => new GenericPleg(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createGenericPleg = factoryOf(genericPlegModule);
