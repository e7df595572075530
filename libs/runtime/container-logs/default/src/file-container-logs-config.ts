import { defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';

export interface FileContainerLogsConfig {
  /** Folder that holds one log folder per pod. Default `/var/log/pods`. */
  readonly podLogsDir: string;
  /** Folder of the links to container logs. Default `/var/log/containers`. */
  readonly containerLogsDir: string;
  /** How often a followed log is polled when its folder reports no change, in milliseconds. Default 1000. */
  readonly pollPeriodMs: number;
  /**
   * After a rotation, how long to wait for more lines in the old file before moving to the new one, in milliseconds.
   * Default 200.
   */
  readonly rotationSettleMs: number;
}

export const fileContainerLogsConfigSchema = defineConfig<FileContainerLogsConfig>({
  podLogsDir: stringField('/var/log/pods'),
  containerLogsDir: stringField('/var/log/containers'),
  pollPeriodMs: durationMsField(1000, { min: 1 }),
  rotationSettleMs: durationMsField(200),
});
