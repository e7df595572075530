import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/**
 * Looks again and again until there is something other than undefined or false, and resolves with it. A look that
 * throws counts as not yet. Rejects with `what`, and with what the last look said, when the time is over.
 */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T>,
  { withinMs = 40_000, everyMs = 50 }: WaitOptions = {},
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

/** For showing that something does not happen: as short as its cause would need to show. */
export const aWhile = (ms: number): Promise<void> => delay(ms);
