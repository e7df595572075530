import { booleanField, defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';

export interface VolumeManagerConfig {
  /** The kubelet's root directory; pod directories are in `pods` below it. */
  readonly rootDir: string;
  /** Longest wait for the volumes of one pod to be mounted or unmounted. The odd seconds are upstream's. */
  readonly waitTimeoutMs: number;
  /** First pause before a failed volume is retried; it doubles up to `maxRetryMs`. */
  readonly retryMs: number;
  readonly maxRetryMs: number;
  /** False: the kubelet attaches volumes itself, where their plugin can. */
  readonly controllerAttaches: boolean;
  /** Feature gate SELinuxMount: labels for volumes of every access mode, not only of ReadWriteOncePod. */
  readonly seLinuxMount: boolean;
  /** How long stop() waits for operations in progress. */
  readonly stopTimeoutMs: number;
}

export const volumeManagerConfigSchema = defineConfig<VolumeManagerConfig>(
  {
    rootDir: stringField('/var/lib/kubelet'),
    waitTimeoutMs: durationMsField(123_000, { min: 1 }),
    retryMs: durationMsField(500, { min: 1 }),
    maxRetryMs: durationMsField(122_000, { min: 1 }),
    controllerAttaches: booleanField(true),
    seLinuxMount: booleanField(false),
    stopTimeoutMs: durationMsField(5_000),
  },
  ({ rootDir }) =>
    rootDir.startsWith('/') ? [] : [{ field: 'rootDir', value: rootDir, problem: 'must be an absolute path' }],
);
