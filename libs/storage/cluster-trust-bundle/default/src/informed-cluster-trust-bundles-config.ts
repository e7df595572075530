import { booleanField, defineConfig, integerField } from '@podwright/assembly-interface';

export interface ClusterTrustBundlesConfig {
  /** Feature gate ClusterTrustBundleProjection. Off: rejects every request and makes no calls. */
  readonly enabled: boolean;
  /** Number of normalized answers to cache. */
  readonly cacheEntries: number;
}

export const clusterTrustBundlesConfigSchema = defineConfig<ClusterTrustBundlesConfig>({
  enabled: booleanField(false),
  cacheEntries: integerField(220, { min: 1 }),
});
