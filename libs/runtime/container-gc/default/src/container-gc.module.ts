import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { CONTAINER_GC } from '@podwright/container-gc-interface';
import { runtimeContainerGcConfigSchema } from './runtime-container-gc-config.js';
import { containerGcNeeds, RuntimeContainerGc } from './runtime-container-gc.js';

export const containerGcModule = defineModule({
  name: '@podwright/container-gc',
  provides: [CONTAINER_GC],
  needs: containerGcNeeds,
  config: runtimeContainerGcConfigSchema,
  create: (deps, config) => new RuntimeContainerGc(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createRuntimeContainerGc = factoryOf(containerGcModule);
