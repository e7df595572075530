import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { RUNTIME_STATE, RUNTIME_STATE_REFRESH } from '@podwright/container-runtime-interface';
import { PolledRuntimeState, runtimeStateNeeds } from './polled-runtime-state.js';
import { runtimeStateConfigSchema } from './runtime-state-config.js';

export const runtimeStateModule = defineModule({
  name: '@podwright/container-runtime#runtime-state',
  provides: [RUNTIME_STATE, RUNTIME_STATE_REFRESH],
  needs: runtimeStateNeeds,
  config: runtimeStateConfigSchema,
  create: (deps, config) => new PolledRuntimeState(deps, config),
});

/** Makes the runtime state without an assembly. Throws `invalid-argument` with the name of a wrong option. */
export const createRuntimeState = factoryOf(runtimeStateModule);
