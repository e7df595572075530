import { defineConfig, durationMsField, integerField, stringField } from '@podwright/assembly-interface';

export interface GzipLogRotationConfig {
  /** A log of at least this many bytes is rotated; negative: no log is. Default 10485760. */
  readonly maxSizeBytes: number;
  /** Files per container, the current one included. Default 5. */
  readonly maxFiles: number;
  /** Logs rotated at the same time, and files compressed at the same time. Default 1. */
  readonly workers: number;
  /** Pause between two checks, in milliseconds. Default 10000. */
  readonly intervalMs: number;
  /** Folder of the pods' log folders. Default `/var/log/pods`. */
  readonly podLogsDir: string;
  /** How long a log whose runtime or disk does not answer may delay others, in milliseconds. Default 10000. */
  readonly patienceMs: number;
}

export const gzipLogRotationConfigSchema = defineConfig<GzipLogRotationConfig>({
  maxSizeBytes: integerField(10 * 2 ** 20),
  maxFiles: integerField(5, { min: 2 }),
  workers: integerField(1, { min: 1 }),
  intervalMs: durationMsField(10_000, { min: 1 }),
  podLogsDir: stringField('/var/log/pods'),
  patienceMs: durationMsField(10_000, { min: 1 }),
});
