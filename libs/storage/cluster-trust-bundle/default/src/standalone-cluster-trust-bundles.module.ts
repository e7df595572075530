import { defineModule } from '@podwright/assembly-interface';
import { CLUSTER_TRUST_BUNDLES } from '@podwright/cluster-trust-bundle-interface';
import { StandaloneClusterTrustBundles } from './standalone-cluster-trust-bundles.js';

export const clusterTrustBundleModule = defineModule({
  name: '@podwright/cluster-trust-bundle',
  provides: [CLUSTER_TRUST_BUNDLES],
  requires: [],
  register: (container) => {
    container.registerSingleton(StandaloneClusterTrustBundles);
    container.register(CLUSTER_TRUST_BUNDLES, { useToken: StandaloneClusterTrustBundles });
  },
});
