import type { Clock } from '@podwright/time';

// As kubernetes v1.36 apiserver/pkg/storage/cacher: about each minute, and shortly before the watch ends.
const periodMs = 60_000;
const beforeEndMs = 2_000;

/** Calls `bookmark` when a watch that lasts `timeoutMs` from now gets one. Returns what ends that. */
export function scheduleBookmarks(clock: Clock, timeoutMs: number, bookmark: () => void): () => void {
  const lastMs = clock.monotonic() + timeoutMs - beforeEndMs;
  let timer = { cancel: (): void => undefined };
  const next = (): void => {
    const remainingMs = lastMs - clock.monotonic();
    // Less than a millisecond is rounding: a timer of that would come due without time going on.
    if (remainingMs < 1) return;
    timer = clock.setTimer(Math.min(periodMs, remainingMs), () => {
      bookmark();
      next();
    });
  };
  next();
  return () => timer.cancel();
}
