import type { Clock } from '@podwright/time';
import { abortable } from './abortable.js';

/**
 * Runs `task` with a signal that aborts after `timeoutMs` or with `parent`. It rejects at that moment with the signal's
 * reason (`deadline-exceeded` for the timeout), even when the task never settles, so that a stuck call blocks nothing
 * else.
 */
export async function withDeadline<T>(
  clock: Clock,
  timeoutMs: number,
  task: (signal: AbortSignal) => Promise<T>,
  parent?: AbortSignal,
): Promise<T> {
  const deadline = clock.deadline(timeoutMs, parent);
  try {
    deadline.signal.throwIfAborted();
    return await abortable(task(deadline.signal), deadline.signal);
  } finally {
    deadline.dispose();
  }
}
