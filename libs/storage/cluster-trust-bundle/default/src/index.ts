import 'reflect-metadata'; // tsyringe refuses to load without it
export { createDefaultClusterTrustBundle, DefaultClusterTrustBundle } from './default-cluster-trust-bundle.js';
export type { DefaultClusterTrustBundleDeps } from './default-cluster-trust-bundle.js';
export {
  DEFAULT_CLUSTER_TRUST_BUNDLE_CONFIG,
  defaultClusterTrustBundleConfigSchema,
} from './default-cluster-trust-bundle-config.js';
export type { DefaultClusterTrustBundleConfig } from './default-cluster-trust-bundle-config.js';
export { defaultClusterTrustBundleModule } from './default-cluster-trust-bundle.module.js';
