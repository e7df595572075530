import { defineConfig, durationMsField } from '@podwright/assembly-interface';

export interface PodWorkersConfig {
  /** Time between two syncs of a healthy pod, before jitter; syncFrequency of KubeletConfiguration. */
  readonly syncFrequencyMs: number;
  /** Time until a failed sync is retried, before jitter. */
  readonly backOffMs: number;
  /** How long stop() waits for running syncs. A kill of containers cannot be aborted, so it may outlast the stop. */
  readonly stopTimeoutMs: number;
}

export const podWorkersConfigSchema = defineConfig<PodWorkersConfig>({
  syncFrequencyMs: durationMsField(60_000, { min: 1 }),
  backOffMs: durationMsField(10_000, { min: 1 }),
  stopTimeoutMs: durationMsField(5_000),
});
