import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { localNodeConfigSchema } from './local-node-config.js';
import { LocalNode, localNodeNeeds } from './local-node.js';

export const localNodeModule = defineModule({
  name: '@podwright/node-status',
  provides: [NODE_SOURCE],
  needs: localNodeNeeds,
  config: localNodeConfigSchema,
  create: (deps, config) => new LocalNode(deps, config),
});

/** Creates one without an assembly; `nodeName` is required. Throws `invalid-argument` for options out of range. */
export const createLocalNode = factoryOf(localNodeModule);
