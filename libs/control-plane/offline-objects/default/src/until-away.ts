import { isServerAway } from '@podwright/offline-objects-interface';
import type { Clock } from '@podwright/time';

/** A server that does not answer at all is known to be away only after some calls have timed out. */
const checkAgainMs = 1_000;

export interface FirstAnswer {
  /** Rejects on its signal with the last failure as cause. */
  readonly synced: (signal: AbortSignal) => Promise<void>;
  readonly afterMs: number;
  readonly signal: AbortSignal;
}

/** See `away` of the interface. */
export async function untilAway(clock: Clock, { synced, afterMs, signal }: FirstAnswer): Promise<boolean> {
  const startedMs = clock.monotonic();
  for (let waitMs = afterMs; !signal.aborted; waitMs = checkAgainMs) {
    const deadline = clock.deadline(waitMs, signal);
    try {
      await synced(deadline.signal);
      return false;
    } catch (error) {
      if (!signal.aborted && isServerAway(error) && clock.monotonic() - startedMs >= afterMs) return true;
      // One that rejects before its time must not be asked at once again.
      if (!deadline.signal.aborted) await clock.sleep(checkAgainMs, signal).catch(() => undefined);
    } finally {
      deadline.dispose();
    }
  }
  return false;
}
