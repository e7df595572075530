import { defineModule } from '@podwright/assembly-interface';
import { MACHINE_TOPOLOGY } from '@podwright/topology-manager-interface';
import { SysfsMachineTopology, sysfsMachineTopologyConfigSchema } from './sysfs-machine-topology.js';

/** Where CPUs and memory lie, for whoever gives them out. */
export const machineTopologyModule = defineModule({
  name: '@podwright/topology-manager#machine',
  provides: [MACHINE_TOPOLOGY],
  requires: [],
  config: sysfsMachineTopologyConfigSchema,
  register: (container) => {
    container.registerSingleton(SysfsMachineTopology);
    container.register(MACHINE_TOPOLOGY, { useToken: SysfsMachineTopology });
  },
});
