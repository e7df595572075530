export { abandonedAssignments } from './abandoned-assignments.js';
export type { Assignment } from './abandoned-assignments.js';
export { allocationMetrics } from './allocation-metrics.js';
export type { AllocationMetrics } from './allocation-metrics.js';
export { MACHINE_TOPOLOGY } from './machine-topology-source.js';
export type { MachineTopologySource } from './machine-topology-source.js';
export { TOPOLOGY_MANAGER } from './topology-manager.js';
export type { HintProvider, TopologyHint, TopologyHints, TopologyManager } from './topology-manager.js';
