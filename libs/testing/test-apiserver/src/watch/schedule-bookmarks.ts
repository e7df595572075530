import type { Clock } from '@podwright/time';

// As kubernetes v1.36 apiserver/pkg/storage/cacher: about every minute, and shortly before the watch ends.
const periodMs = 60_000;
const beforeEndMs = 2_000;

/**
 * Calls `bookmark` at the times of bookmarks in a watch that ends after `timeoutMs`. Returns a function that stops it.
 */
export function scheduleBookmarks(clock: Clock, timeoutMs: number, bookmark: () => void): () => void {
  const lastMs = clock.monotonic() + timeoutMs - beforeEndMs;
  let timer = { cancel: (): void => undefined };
  const next = (): void => {
    const remainingMs = lastMs - clock.monotonic();
    // Less than a millisecond is a rounding error; such a timer would fire without time advancing.
    if (remainingMs < 1) return;
    timer = clock.setTimer(Math.min(periodMs, remainingMs), () => {
      bookmark();
      next();
    });
  };
  next();
  return () => timer.cancel();
}
