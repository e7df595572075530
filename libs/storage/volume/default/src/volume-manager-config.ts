import { createToken, defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';

export interface VolumeManagerConfig {
  /** The kubelet's root directory; pods live in `pods` below it. */
  readonly rootDir: string;
  /** Longest wait for the volumes of one pod, to come or to go. The odd seconds are upstream's. */
  readonly waitTimeoutMs: number;
  /** First and longest pause before a failed volume is tried again; it doubles in between. */
  readonly retryMs: number;
  readonly maxRetryMs: number;
  /** How long stop() waits for mounts that do not end. */
  readonly stopTimeoutMs: number;
}

export const VOLUME_MANAGER_CONFIG = createToken<VolumeManagerConfig>('kubelet.volume-manager.config/v1');

export const volumeManagerConfigSchema = defineConfig<VolumeManagerConfig>(
  VOLUME_MANAGER_CONFIG,
  {
    rootDir: stringField('/var/lib/kubelet'),
    waitTimeoutMs: durationMsField(123_000, { min: 1 }),
    retryMs: durationMsField(500, { min: 1 }),
    maxRetryMs: durationMsField(122_000, { min: 1 }),
    stopTimeoutMs: durationMsField(5_000),
  },
  ({ rootDir }) =>
    rootDir.startsWith('/') ? [] : [{ field: 'rootDir', value: rootDir, problem: 'must be an absolute path' }],
);
