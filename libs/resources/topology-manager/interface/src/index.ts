export { TOPOLOGY_MANAGER } from './topology-manager.js';
export type { HintProvider, TopologyHint, TopologyHints, TopologyManager } from './topology-manager.js';
