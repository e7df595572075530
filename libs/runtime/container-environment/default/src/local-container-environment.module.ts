import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { CONTAINER_ENVIRONMENT } from '@podwright/container-environment-interface';
import { localContainerEnvironmentConfigSchema } from './local-container-environment-config.js';
import { LocalContainerEnvironment, localContainerEnvironmentNeeds } from './local-container-environment.js';

export const localContainerEnvironmentModule = defineModule({
  name: '@podwright/container-environment',
  provides: [CONTAINER_ENVIRONMENT],
  needs: localContainerEnvironmentNeeds,
  config: localContainerEnvironmentConfigSchema,
  create: (deps, config) => new LocalContainerEnvironment(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createLocalContainerEnvironment = factoryOf(localContainerEnvironmentModule);
