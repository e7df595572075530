import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { CONTAINER_RUNTIME } from '@podwright/container-runtime-interface';
import { containerRuntimeConfigSchema } from './container-runtime-config.js';
import { containerRuntimeNeeds } from './container-runtime-needs.js';
import { KubeContainerRuntime } from './kube-container-runtime.js';

export const containerRuntimeModule = defineModule({
  name: '@podwright/container-runtime',
  provides: [CONTAINER_RUNTIME],
  needs: containerRuntimeNeeds,
  config: containerRuntimeConfigSchema,
  create: (deps, config) => new KubeContainerRuntime(deps, config),
});

/** Makes the container runtime without an assembly. Throws `invalid-argument` with the name of a wrong option. */
export const createContainerRuntime = factoryOf(containerRuntimeModule);
