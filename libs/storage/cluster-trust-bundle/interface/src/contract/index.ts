export { describeClusterTrustBundlesContract } from './cluster-trust-bundle-contract.js';
export type { ClusterTrustBundlesHarness } from './cluster-trust-bundle-contract.js';
