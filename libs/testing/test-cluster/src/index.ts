export { TestCluster } from './test-cluster.js';
export type { TestClusterOptions } from './test-cluster.js';
export { MemoryOfflineObjects } from './memory-offline-objects.js';
