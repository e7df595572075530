import { createToken, defineConfig, durationMsField, integerField, stringField } from '@podwright/assembly-interface';

export interface GzipLogRotationConfig {
  /** A log of so many bytes and more is rotated; negative: none is. Default 10485760. */
  readonly maxSizeBytes: number;
  /** Files per container, the one in use among them. Default 5. */
  readonly maxFiles: number;
  /** Logs rotated at once, and files compressed at once. Default 1. */
  readonly workers: number;
  /** Pause between two looks, in milliseconds. Default 10000. */
  readonly intervalMs: number;
  /** Folder of the pods' log folders. Default `/var/log/pods`. */
  readonly podLogsDir: string;
  /** How long others wait for a log whose runtime or disk does not answer, in milliseconds. Default 10000. */
  readonly patienceMs: number;
}

export const GZIP_LOG_ROTATION_CONFIG = createToken<GzipLogRotationConfig>('kubelet.gzip-log-rotation.config/v1');

export const gzipLogRotationConfigSchema = defineConfig<GzipLogRotationConfig>(GZIP_LOG_ROTATION_CONFIG, {
  maxSizeBytes: integerField(10 * 2 ** 20),
  maxFiles: integerField(5, { min: 2 }),
  workers: integerField(1, { min: 1 }),
  intervalMs: durationMsField(10_000, { min: 1 }),
  podLogsDir: stringField('/var/log/pods'),
  patienceMs: durationMsField(10_000, { min: 1 }),
});
