import { booleanField, createToken, defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';

export interface WatchedCloudResourcesConfig {
  readonly nodeName: string;
  /** `--cloud-provider=external`: a provider is expected to initialize the node. */
  readonly externalCloudProvider: boolean;
  /** Longest wait for the provider's answer; a node that is not initialized by then is told of in the log. */
  readonly timeoutMs: number;
}

export const WATCHED_CLOUD_RESOURCES_CONFIG = createToken<WatchedCloudResourcesConfig>(
  'kubelet.cloud-resource-sync.config/v1',
);

export const watchedCloudResourcesConfigSchema = defineConfig<WatchedCloudResourcesConfig>(
  WATCHED_CLOUD_RESOURCES_CONFIG,
  {
    nodeName: stringField(),
    externalCloudProvider: booleanField(false),
    timeoutMs: durationMsField(120_000, { min: 1 }),
  },
);
