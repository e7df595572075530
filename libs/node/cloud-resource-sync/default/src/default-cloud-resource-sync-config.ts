import { createToken, defineConfig, durationMsField } from '@podwright/assembly-interface';

export interface DefaultCloudResourceSyncConfig {
  /** How long one piece of work may take, in milliseconds. */
  readonly timeoutMs: number;
}

export const DEFAULT_CLOUD_RESOURCE_SYNC_CONFIG = createToken<DefaultCloudResourceSyncConfig>(
  'kubelet.cloud-resource-sync.config/v1',
);

export const defaultCloudResourceSyncConfigSchema = defineConfig<DefaultCloudResourceSyncConfig>(
  DEFAULT_CLOUD_RESOURCE_SYNC_CONFIG,
  {
    timeoutMs: durationMsField(120_000),
  },
);
