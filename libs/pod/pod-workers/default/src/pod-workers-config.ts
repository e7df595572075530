import { createToken, defineConfig, durationMsField } from '@podwright/assembly-interface';

export interface PodWorkersConfig {
  /** Time between two syncs of a pod that is well, before jitter; KubeletConfiguration syncFrequency. */
  readonly syncFrequencyMs: number;
  /** Time until a failed sync is tried again, before jitter. */
  readonly backOffMs: number;
  /** How long stop() waits for running syncs; kills of containers cannot be cut short, so they may go on behind it. */
  readonly stopTimeoutMs: number;
}

export const POD_WORKERS_CONFIG = createToken<PodWorkersConfig>('kubelet.pod-workers.config/v1');

export const podWorkersConfigSchema = defineConfig<PodWorkersConfig>(POD_WORKERS_CONFIG, {
  syncFrequencyMs: durationMsField(60_000, { min: 1 }),
  backOffMs: durationMsField(10_000, { min: 1 }),
  stopTimeoutMs: durationMsField(5_000),
});
