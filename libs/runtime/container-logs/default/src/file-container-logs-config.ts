import { createToken, defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';

export interface FileContainerLogsConfig {
  /** Folder of the pods' log folders. Default `/var/log/pods`. */
  readonly podLogsDir: string;
  /** Folder of the links to container logs. Default `/var/log/containers`. */
  readonly containerLogsDir: string;
  /** A followed log is looked at this often when no change is seen, in milliseconds. Default 1000. */
  readonly pollPeriodMs: number;
  /** How long nothing more may have come into the old file when the new one has begun, in milliseconds. Default 200. */
  readonly rotationSettleMs: number;
}

export const FILE_CONTAINER_LOGS_CONFIG = createToken<FileContainerLogsConfig>('kubelet.file-container-logs.config/v1');

export const fileContainerLogsConfigSchema = defineConfig<FileContainerLogsConfig>(FILE_CONTAINER_LOGS_CONFIG, {
  podLogsDir: stringField('/var/log/pods'),
  containerLogsDir: stringField('/var/log/containers'),
  pollPeriodMs: durationMsField(1000, { min: 1 }),
  rotationSettleMs: durationMsField(200),
});
