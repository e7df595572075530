import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { NODE_SOURCE, REGISTERED_NODE } from '@podwright/node-status-interface';
import { ApiNode, apiNodeNeeds } from './api-node.js';
import { localNodeConfigSchema } from './local-node-config.js';

export const apiNodeModule = defineModule({
  name: '@podwright/node-status#api',
  provides: [NODE_SOURCE, REGISTERED_NODE],
  needs: apiNodeNeeds,
  config: localNodeConfigSchema,
  create: (deps, config) => new ApiNode(deps, config),
});

/** Creates one without an assembly; `nodeName` is required. Throws `invalid-argument` for options out of range. */
export const createApiNode = factoryOf(apiNodeModule);
