import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/**
 * Keeps container logs within their limits. Rotated logs are named `<log>.<YYYYMMDD-HHMMSS>`, older ones end in `.gz`.
 * Source: kubernetes v1.36 pkg/kubelet/logs/container_log_manager.go.
 */
export interface LogRotation extends Lifecycle, HealthReporter {
  /** Looks at the logs of all running containers now. Resolves when all due rotations have ended; failures are logged. */
  rotateDueLogs(signal?: AbortSignal): Promise<void>;
  /** Removes the log of a container with all its rotations; a missing one is fine. Never overlaps with a rotation of it. */
  clean(logPath: string): Promise<void>;
}

export const LOG_ROTATION = createToken<LogRotation>('kubelet.log-rotation/v1');
