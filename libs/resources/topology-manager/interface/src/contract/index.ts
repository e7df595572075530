export { describeTopologyManagerContract } from './topology-manager-contract.js';
export type { TopologyManagerHarness } from './topology-manager-contract.js';
