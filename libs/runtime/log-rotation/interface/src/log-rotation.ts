import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/**
 * Keeps the logs of running containers within their size limit. It renames a log that is too large to
 * `<log>.<YYYYMMDD-HHMMSS>` (local time) and lets the runtime open a new one, compresses older ones to
 * `<log>.<YYYYMMDD-HHMMSS>.gz`, and removes the oldest.
 * Source: kubernetes v1.36 pkg/kubelet/logs/container_log_manager.go.
 */
export interface LogRotation extends Lifecycle, HealthReporter {
  /**
   * Checks the logs of all running containers now. Resolves when every log over the limit is rotated and older ones are
   * compressed; logs failures. Rejects when it cannot list the containers, or with the signal's reason.
   */
  rotateDueLogs(signal?: AbortSignal): Promise<void>;
  /**
   * Removes the log of an ended container and all its rotated files. Does nothing when they are missing. Never runs at
   * the same time as a rotation of that log. Rejects when it cannot remove a file.
   */
  clean(logPath: string): Promise<void>;
}

export const LOG_ROTATION = createToken<LogRotation>('kubelet.log-rotation/v1');
