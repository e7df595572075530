import 'reflect-metadata'; // tsyringe refuses to load without it
export { AligningTopologyManager, createAligningTopologyManager } from './aligning-topology-manager.js';
export type { AligningTopologyManagerDeps } from './aligning-topology-manager.js';
export { topologyManagerModule } from './aligning-topology-manager.module.js';
export { createSysfsMachineTopology, SysfsMachineTopology } from './sysfs-machine-topology.js';
export {
  SYSFS_MACHINE_TOPOLOGY_CONFIG,
  sysfsMachineTopologyConfigSchema,
  type SysfsMachineTopologyConfig,
} from './sysfs-machine-topology.js';
export { machineTopologyModule } from './sysfs-machine-topology.module.js';
export { ALIGNING_TOPOLOGY_MANAGER_CONFIG, aligningTopologyManagerConfigSchema } from './topology-manager-config.js';
export type { AligningTopologyManagerConfig } from './topology-manager-config.js';
