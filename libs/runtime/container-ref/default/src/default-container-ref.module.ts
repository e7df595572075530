import { defineModule, LOGGER } from '@podwright/assembly-interface';
import { CONTAINER_REF } from '@podwright/container-ref-interface';
import { DefaultContainerRef } from './default-container-ref.js';
import { defaultContainerRefConfigSchema } from './default-container-ref-config.js';

export const defaultContainerRefModule = defineModule({
  name: '@podwright/container-ref',
  provides: [CONTAINER_REF],
  requires: [LOGGER],
  config: defaultContainerRefConfigSchema,
  register: (container) => {
    container.registerSingleton(DefaultContainerRef);
    container.register(CONTAINER_REF, { useToken: DefaultContainerRef }); // alias: both names give one instance
  },
});
