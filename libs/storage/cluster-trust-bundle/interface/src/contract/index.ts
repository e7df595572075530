export { describeClusterTrustBundleContract } from './cluster-trust-bundle-contract.js';
export type { ClusterTrustBundleHarness } from './cluster-trust-bundle-contract.js';
