import { defineModule, LOGGER } from '@podwright/assembly-interface';
import { CLUSTER_TRUST_BUNDLE } from '@podwright/cluster-trust-bundle-interface';
import { DefaultClusterTrustBundle } from './default-cluster-trust-bundle.js';
import { defaultClusterTrustBundleConfigSchema } from './default-cluster-trust-bundle-config.js';

export const defaultClusterTrustBundleModule = defineModule({
  name: '@podwright/cluster-trust-bundle',
  provides: [CLUSTER_TRUST_BUNDLE],
  requires: [LOGGER],
  config: defaultClusterTrustBundleConfigSchema,
  register: (container) => {
    container.registerSingleton(DefaultClusterTrustBundle);
    container.register(CLUSTER_TRUST_BUNDLE, { useToken: DefaultClusterTrustBundle }); // alias: both names give one instance
  },
});
