import type { Clock } from '@podwright/time';

/** Source: kubernetes v1.36 pkg/volume/csi/csi_plugin.go csiTimeout. */
export const csiTimeoutMs = 120_000;

/** One operation on a volume, which may make several calls. They share its time limit. */
export interface CsiOperation {
  /** Aborts when the operation is cancelled or takes longer than `csiTimeoutMs`. */
  readonly signal: AbortSignal;
  /** Wall-clock milliseconds; each call sends it to the driver. */
  readonly deadlineMs: number;
  /** The volume is one of a former in-tree plugin; metrics show it. Default false. */
  readonly migrated?: boolean;
}

/**
 * Runs one operation with the time limit of all its calls. It settles only when `run` does, so that `run` decides what
 * a call that ran out of time means for the volume.
 */
export async function csiOperation<T>(
  clock: Clock,
  signal: AbortSignal,
  run: (operation: CsiOperation) => Promise<T>,
): Promise<T> {
  const deadlineMs = clock.now() + csiTimeoutMs;
  const deadline = clock.deadline(csiTimeoutMs, signal);
  try {
    return await run({ signal: deadline.signal, deadlineMs });
  } finally {
    deadline.dispose();
  }
}
