import { booleanField, defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';

export interface WatchedCloudResourcesConfig {
  readonly nodeName: string;
  /** `--cloud-provider=external`: a provider is expected to initialize the node. */
  readonly externalCloudProvider: boolean;
  /** Longest wait for the provider's answer; after it, the log reports the uninitialized node. */
  readonly timeoutMs: number;
}

export const watchedCloudResourcesConfigSchema = defineConfig<WatchedCloudResourcesConfig>({
  nodeName: stringField(),
  externalCloudProvider: booleanField(false),
  timeoutMs: durationMsField(120_000, { min: 1 }),
});
