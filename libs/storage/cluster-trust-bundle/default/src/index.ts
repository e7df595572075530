export { apiClusterTrustBundleNeeds, InformedClusterTrustBundles } from './informed-cluster-trust-bundles.js';
export type { ApiClusterTrustBundleNeeds } from './informed-cluster-trust-bundles.js';
export { clusterTrustBundlesConfigSchema } from './informed-cluster-trust-bundles-config.js';
export type { ClusterTrustBundlesConfig } from './informed-cluster-trust-bundles-config.js';
export {
  apiClusterTrustBundleModule,
  createInformedClusterTrustBundles,
} from './informed-cluster-trust-bundles.module.js';
export { StandaloneClusterTrustBundles } from './standalone-cluster-trust-bundles.js';
export {
  clusterTrustBundleModule,
  createStandaloneClusterTrustBundles,
} from './standalone-cluster-trust-bundles.module.js';
