import { booleanField, createToken, defineConfig, integerField } from '@podwright/assembly-interface';

export interface ClusterTrustBundlesConfig {
  /** Feature gate ClusterTrustBundleProjection. Off: every request is refused, and no call is made. */
  readonly enabled: boolean;
  /** How many normalised answers are kept. */
  readonly cacheEntries: number;
}

export const CLUSTER_TRUST_BUNDLES_CONFIG = createToken<ClusterTrustBundlesConfig>(
  'kubelet.cluster-trust-bundles.config/v1',
);

export const clusterTrustBundlesConfigSchema = defineConfig<ClusterTrustBundlesConfig>(CLUSTER_TRUST_BUNDLES_CONFIG, {
  enabled: booleanField(false),
  cacheEntries: integerField(220, { min: 1 }),
});
