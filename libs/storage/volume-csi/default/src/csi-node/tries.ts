import { aggregateMessage, KubeletError, messageOf } from '@podwright/errors';
import { abortError, GrowingPause, jitter, namedRandom, type Clock, type Random } from '@podwright/time';

/** How often something is tried, with growing pauses. Source: kubernetes v1.36 apimachinery/pkg/util/wait Backoff. */
export interface Tries {
  readonly steps: number;
  readonly firstMs: number;
  readonly factor: number;
  /** Which failures the rejection names. Default: each of them. */
  readonly tells?: 'all' | 'last';
}

export interface TriesDeps {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly random: Random;
}

const pauseJitter = 0.1;

/**
 * Runs `task` until it succeeds. After the last step it rejects with its failures, in upstream's words; on the signal
 * with its reason.
 */
export async function tryRepeatedly(
  { clock, random }: TriesDeps,
  { steps, firstMs, factor, tells = 'all' }: Tries,
  task: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const pause = new GrowingPause({ firstMs, factor });
  const failures: unknown[] = [];
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (signal.aborted) throw abortError(signal);
      failures.push(error);
    }
    if (failures.length >= steps) break;
    await clock.sleep(jitter(namedRandom(random, 'csi-node'), pause.next(), pauseJitter), signal);
  }
  const cause = failures.at(-1);
  const causes = tells === 'last' ? messageOf(cause) : aggregateMessage(failures.map(messageOf));
  throw new KubeletError(`timed out waiting for the condition; caused by: ${causes}`, {
    code: KubeletError.from(cause).code,
    cause,
  });
}
