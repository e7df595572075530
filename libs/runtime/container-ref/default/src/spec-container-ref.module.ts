import { defineModule } from '@podwright/assembly-interface';
import { CONTAINER_REF } from '@podwright/container-ref-interface';
import { SpecContainerRef } from './spec-container-ref.js';

export const containerRefModule = defineModule({
  name: '@podwright/container-ref',
  provides: [CONTAINER_REF],
  requires: [],
  register: (container) => {
    container.registerSingleton(SpecContainerRef);
    container.register(CONTAINER_REF, { useToken: SpecContainerRef }); // alias: both names give one instance
  },
});
