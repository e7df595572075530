export { AligningTopologyManager, topologyManagerNeeds } from './aligning-topology-manager.js';
export type { TopologyManagerNeeds } from './aligning-topology-manager.js';
export { createAligningTopologyManager, topologyManagerModule } from './aligning-topology-manager.module.js';
export { SysfsMachineTopology } from './sysfs-machine-topology.js';
export { sysfsMachineTopologyConfigSchema, type SysfsMachineTopologyConfig } from './sysfs-machine-topology.js';
export { createSysfsMachineTopology, machineTopologyModule } from './sysfs-machine-topology.module.js';
export { aligningTopologyManagerConfigSchema } from './topology-manager-config.js';
export type { AligningTopologyManagerConfig } from './topology-manager-config.js';
