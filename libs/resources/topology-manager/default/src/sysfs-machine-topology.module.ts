import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { MACHINE_TOPOLOGY } from '@podwright/topology-manager-interface';
import { SysfsMachineTopology, sysfsMachineTopologyConfigSchema } from './sysfs-machine-topology.js';

/** Provides the positions of CPUs and memory to the managers that allocate them. */
export const machineTopologyModule = defineModule({
  name: '@podwright/topology-manager#machine',
  provides: [MACHINE_TOPOLOGY],
  config: sysfsMachineTopologyConfigSchema,
  create: (_deps, config) => new SysfsMachineTopology(config),
});

/** Creates one without an assembly. */
export const createSysfsMachineTopology = factoryOf(machineTopologyModule);
