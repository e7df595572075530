import 'reflect-metadata'; // tsyringe refuses to load without it

export { createInformedClusterTrustBundles, InformedClusterTrustBundles } from './informed-cluster-trust-bundles.js';
export type { InformedClusterTrustBundlesDeps } from './informed-cluster-trust-bundles.js';
export {
  CLUSTER_TRUST_BUNDLES_CONFIG,
  clusterTrustBundlesConfigSchema,
} from './informed-cluster-trust-bundles-config.js';
export type { ClusterTrustBundlesConfig } from './informed-cluster-trust-bundles-config.js';
export { apiClusterTrustBundleModule } from './informed-cluster-trust-bundles.module.js';
export {
  createStandaloneClusterTrustBundles,
  StandaloneClusterTrustBundles,
} from './standalone-cluster-trust-bundles.js';
export { clusterTrustBundleModule } from './standalone-cluster-trust-bundles.module.js';
