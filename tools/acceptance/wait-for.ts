import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/**
 * Polls until the result is neither undefined nor false, and resolves with it. An attempt that throws counts as not
 * yet. At the timeout, rejects with `what` and the last result or error.
 */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T>,
  { withinMs = 60_000, everyMs = 50 }: WaitOptions = {},
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    let reason: unknown;
    try {
      const found = await look();
      if (found !== undefined && found !== false) return found as Exclude<T, undefined | false>;
    } catch (error) {
      reason = error;
    }
    if (performance.now() > deadline) {
      const detail = reason instanceof Error ? `: ${reason.message}` : '';
      throw new Error(`not within ${withinMs} ms: ${what}${detail}`, { cause: reason });
    }
    await delay(everyMs);
  }
}

/**
 * Polls until the assertions hold, for what is written a moment after the thing that a case has waited for: what a
 * container that runs has printed, what a loop of the kubelet has measured. At the timeout, rejects as the last try did,
 * which shows what was there instead.
 */
export async function untilHolds(assertions: () => Promise<void>, options: WaitOptions = {}): Promise<void> {
  let last: unknown;
  const holds = (): Promise<boolean> =>
    assertions().then(
      () => true,
      (error: unknown) => ((last = error), false),
    );
  await waitFor('the assertions hold', holds, options).catch((error: unknown) => {
    throw last ?? error;
  });
}

/** A wait to show that something does not happen: as short as its cause would need. */
export const aWhile = (ms: number): Promise<void> => delay(ms);
