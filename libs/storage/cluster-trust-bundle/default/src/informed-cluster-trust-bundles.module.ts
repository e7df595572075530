import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { CLUSTER_TRUST_BUNDLES } from '@podwright/cluster-trust-bundle-interface';
import { apiClusterTrustBundleNeeds, InformedClusterTrustBundles } from './informed-cluster-trust-bundles.js';
import { clusterTrustBundlesConfigSchema } from './informed-cluster-trust-bundles-config.js';

export const apiClusterTrustBundleModule = defineModule({
  name: '@podwright/cluster-trust-bundle#api',
  provides: [CLUSTER_TRUST_BUNDLES],
  needs: apiClusterTrustBundleNeeds,
  config: clusterTrustBundlesConfigSchema,
  create: (deps, config) => new InformedClusterTrustBundles(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createInformedClusterTrustBundles = factoryOf(apiClusterTrustBundleModule);
