import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { MACHINE_TOPOLOGY, TOPOLOGY_MANAGER } from '@podwright/topology-manager-interface';
import { AligningTopologyManager } from './aligning-topology-manager.js';
import { aligningTopologyManagerConfigSchema } from './topology-manager-config.js';

export const topologyManagerModule = defineModule({
  name: '@podwright/topology-manager',
  provides: [TOPOLOGY_MANAGER],
  requires: [MACHINE_TOPOLOGY, CLOCK, LOGGER, METRICS],
  config: aligningTopologyManagerConfigSchema,
  register: (container) => {
    container.registerSingleton(AligningTopologyManager);
    container.register(TOPOLOGY_MANAGER, { useToken: AligningTopologyManager }); // alias: both names give one instance
  },
});
