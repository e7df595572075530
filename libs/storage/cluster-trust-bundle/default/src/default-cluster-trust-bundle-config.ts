import { createToken, defineConfig, durationMsField } from '@podwright/assembly-interface';

export interface DefaultClusterTrustBundleConfig {
  /** How long one piece of work may take, in milliseconds. */
  readonly timeoutMs: number;
}

export const DEFAULT_CLUSTER_TRUST_BUNDLE_CONFIG = createToken<DefaultClusterTrustBundleConfig>(
  'kubelet.cluster-trust-bundle.config/v1',
);

export const defaultClusterTrustBundleConfigSchema = defineConfig<DefaultClusterTrustBundleConfig>(
  DEFAULT_CLUSTER_TRUST_BUNDLE_CONFIG,
  {
    timeoutMs: durationMsField(120_000),
  },
);
