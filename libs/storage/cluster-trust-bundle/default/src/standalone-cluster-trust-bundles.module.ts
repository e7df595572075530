import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { CLUSTER_TRUST_BUNDLES } from '@podwright/cluster-trust-bundle-interface';
import { StandaloneClusterTrustBundles } from './standalone-cluster-trust-bundles.js';

export const clusterTrustBundleModule = defineModule({
  name: '@podwright/cluster-trust-bundle',
  provides: [CLUSTER_TRUST_BUNDLES],
  create: () => new StandaloneClusterTrustBundles(),
});

/** Creates one without an assembly. */
export const createStandaloneClusterTrustBundles = factoryOf(clusterTrustBundleModule);
