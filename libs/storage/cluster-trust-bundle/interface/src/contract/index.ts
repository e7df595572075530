export { describeClusterTrustBundlesContract } from './cluster-trust-bundle-contract.js';
export type { BundleToPut, ClusterTrustBundlesHarness } from './cluster-trust-bundle-contract.js';
export { describeStandaloneClusterTrustBundlesContract } from './standalone-cluster-trust-bundle-contract.js';
