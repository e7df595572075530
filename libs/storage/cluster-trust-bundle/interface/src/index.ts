export { CLUSTER_TRUST_BUNDLES } from './cluster-trust-bundle.js';
export type { ClusterTrustBundles } from './cluster-trust-bundle.js';
