import { CLOCK, LOGGER, defineModule } from '@podwright/assembly-interface';
import { RUNTIME_STATE } from '@podwright/container-runtime-interface';
import { RUNTIME_CONNECTION } from '@podwright/cri-client-interface';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { localNodeConfigSchema } from './local-node-config.js';
import { LocalNode } from './local-node.js';

export const localNodeModule = defineModule({
  name: '@podwright/node-status',
  provides: [NODE_SOURCE],
  requires: [RUNTIME_STATE, RUNTIME_CONNECTION, CLOCK, LOGGER],
  config: localNodeConfigSchema,
  register: (container) => {
    container.registerSingleton(LocalNode);
    container.register(NODE_SOURCE, { useToken: LocalNode });
  },
});
