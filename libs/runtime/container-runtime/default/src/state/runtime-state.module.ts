import { CLOCK, defineModule, LOGGER } from '@podwright/assembly-interface';
import { RUNTIME_STATE, RUNTIME_STATE_REFRESH } from '@podwright/container-runtime-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { PolledRuntimeState } from './polled-runtime-state.js';
import { runtimeStateConfigSchema } from './runtime-state-config.js';

export const runtimeStateModule = defineModule({
  name: '@podwright/container-runtime#runtime-state',
  provides: [RUNTIME_STATE, RUNTIME_STATE_REFRESH],
  requires: [RUNTIME_SERVICE, CLOCK, LOGGER],
  config: runtimeStateConfigSchema,
  register: (container) => {
    container.registerSingleton(PolledRuntimeState);
    container.register(RUNTIME_STATE, { useToken: PolledRuntimeState }); // alias: all names give one instance
    container.register(RUNTIME_STATE_REFRESH, { useToken: PolledRuntimeState });
  },
});
