import { CLOCK, LOGGER, defineModule } from '@podwright/assembly-interface';
import { RUNTIME_STATE } from '@podwright/container-runtime-interface';
import { RUNTIME_CONNECTION } from '@podwright/cri-client-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { NODE_SOURCE, REGISTERED_NODE } from '@podwright/node-status-interface';
import { ApiNode } from './api-node.js';
import { localNodeConfigSchema } from './local-node-config.js';

export const apiNodeModule = defineModule({
  name: '@podwright/node-status#api',
  provides: [NODE_SOURCE, REGISTERED_NODE],
  requires: [RUNTIME_STATE, RUNTIME_CONNECTION, KUBE_CLIENT, CLOCK, LOGGER],
  config: localNodeConfigSchema,
  register: (container) => {
    container.registerSingleton(ApiNode);
    container.register(NODE_SOURCE, { useToken: ApiNode }); // alias: all names give one instance
    container.register(REGISTERED_NODE, { useToken: ApiNode });
  },
});
