import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/**
 * Keeps the logs of running containers within their limits. A log that is too large is renamed to `<log>.<YYYYMMDD-HHMMSS>` (local
 * time) and the runtime goes on with a new one; older ones are compressed to `<log>.<YYYYMMDD-HHMMSS>.gz`, the oldest are removed.
 * Source: kubernetes v1.36 pkg/kubelet/logs/container_log_manager.go.
 */
export interface LogRotation extends Lifecycle, HealthReporter {
  /**
   * Looks at the logs of all running containers now. Resolves when those that are due are rotated and what is older is compressed;
   * failures are logged. Rejects when the containers cannot be listed, or with the signal's reason.
   */
  rotateDueLogs(signal?: AbortSignal): Promise<void>;
  /**
   * Removes the log of a container with all that was rotated from it; a missing one is fine. Never overlaps with a rotation of it.
   * For a container that does not run any more. Rejects when a file cannot be removed.
   */
  clean(logPath: string): Promise<void>;
}

export const LOG_ROTATION = createToken<LogRotation>('kubelet.log-rotation/v1');
