export { TestCluster } from './test-cluster.js';
export type { TestClusterOptions } from './test-cluster.js';
