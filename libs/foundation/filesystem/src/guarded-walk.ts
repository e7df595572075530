import { Gate } from '@podwright/concurrency';
import { hasCode, KubeletError } from '@podwright/errors';
import type { Clock, Timer } from '@podwright/time';
import { isOfNetwork, requireAnswer, type AnswerCheck } from './answers.js';

/** As many of Node's four file system threads may hang on network file systems, until their servers are back. */
const places = new Gate({ places: 2 });
const answerLimitMs = 10_000;
/** Longer than a server takes to restart. */
const mostIdleMs = 120_000;

export interface GuardedWalkOptions extends AnswerCheck {
  readonly clock: Pick<Clock, 'deadline' | 'setTimer'>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a walk over the files of a path that calls `step` before each of them and makes one file system call at a time.
 * On a network file system only two walks go on at a time, so that dead servers leave the process threads for its other
 * work. A walk begins when the server answers, and rejects with `unavailable` when it no longer does. `step` throws when
 * the signal has aborted, except by a deadline: a walk that gets on takes as long as it needs.
 */
export async function guardedWalk(
  path: string,
  walk: (step: () => void) => Promise<void>,
  { clock, signal, ...check }: GuardedWalkOptions,
): Promise<void> {
  const stop = (): void => throwIfStopped(signal);
  if (!(await isOfNetwork(path, check))) return walk(stop);
  const leave = await places.enter({ ...(signal && { signal }) });
  const limit = clock.deadline(answerLimitMs, signal);
  const answers = requireAnswer(path, limit.signal, check).finally(limit.dispose);
  await answers.catch((error: unknown) => {
    leave();
    throw error;
  });
  await untilIdle(path, clock, (step) => {
    const walking = walk(() => {
      stop();
      step();
    });
    // A call that hangs keeps its place, even when nobody waits for it any more.
    return walking.finally(leave);
  });
}

/** Rejects when there is no step for too long; then the next step throws. */
function untilIdle(
  path: string,
  clock: Pick<Clock, 'setTimer'>,
  walk: (step: () => void) => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: Timer | undefined;
    let failure: KubeletError | undefined;
    const watch = (): void => {
      if (failure !== undefined) throw failure;
      timer?.cancel();
      timer = clock.setTimer(mostIdleMs, () => {
        failure = new KubeletError(`the file system at ${path} does not answer any more`, { code: 'unavailable' });
        reject(failure);
      });
    };
    watch();
    // After the rejection above, these have no effect.
    void walk(watch)
      .then(resolve, reject)
      .finally(() => timer?.cancel());
  });
}

/** A deadline does not stop a walk. */
export function throwIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true && !hasCode(signal.reason, 'deadline-exceeded')) signal.throwIfAborted();
}
