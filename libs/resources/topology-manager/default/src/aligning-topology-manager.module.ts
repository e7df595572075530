import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { TOPOLOGY_MANAGER } from '@podwright/topology-manager-interface';
import { AligningTopologyManager, topologyManagerNeeds } from './aligning-topology-manager.js';
import { aligningTopologyManagerConfigSchema } from './topology-manager-config.js';

export const topologyManagerModule = defineModule({
  name: '@podwright/topology-manager',
  provides: [TOPOLOGY_MANAGER],
  needs: topologyManagerNeeds,
  config: aligningTopologyManagerConfigSchema,
  create: (deps, config) => new AligningTopologyManager(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for a wrong option. */
export const createAligningTopologyManager = factoryOf(topologyManagerModule);
