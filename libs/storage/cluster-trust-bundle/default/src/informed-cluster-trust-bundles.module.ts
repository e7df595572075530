import { CLOCK, defineModule, LOGGER, RANDOM } from '@podwright/assembly-interface';
import { CLUSTER_TRUST_BUNDLES } from '@podwright/cluster-trust-bundle-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { InformedClusterTrustBundles } from './informed-cluster-trust-bundles.js';
import { clusterTrustBundlesConfigSchema } from './informed-cluster-trust-bundles-config.js';

export const apiClusterTrustBundleModule = defineModule({
  name: '@podwright/cluster-trust-bundle#api',
  provides: [CLUSTER_TRUST_BUNDLES],
  requires: [KUBE_CLIENT, CLOCK, RANDOM, LOGGER],
  config: clusterTrustBundlesConfigSchema,
  register: (container) => {
    container.registerSingleton(InformedClusterTrustBundles);
    container.register(CLUSTER_TRUST_BUNDLES, { useToken: InformedClusterTrustBundles }); // alias: both names give one instance
  },
});
