import { performance } from 'node:perf_hooks';
import { BaseClock, checkedDelay } from './base-clock.js';
import type { Clock, Timer } from './clock.js';

export interface SystemClockOptions {
  /** True: a pending timer or sleep keeps the process alive, as scripts want it. Default false. */
  readonly keepAlive?: boolean;
}

/**
 * The real clock. Nothing that waits on it keeps the process alive (unless `keepAlive`): a daemon's main does that, and
 * ends at once when it means to. Delays may be of any length, also `Infinity` (never).
 */
export function createSystemClock(options: SystemClockOptions = {}): Clock {
  return new SystemClock(options.keepAlive ?? false);
}

// Node fires a longer timer at once instead of late.
const longestNodeTimerMs = 2 ** 31 - 1;

class SystemClock extends BaseClock {
  constructor(private readonly keepAlive: boolean) {
    super();
  }

  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    const delay = checkedDelay(delayMs);
    if (delay === 0) {
      const immediate = setImmediate(callback);
      if (!this.keepAlive) immediate.unref();
      return { cancel: () => clearImmediate(immediate) };
    }
    let timeout: NodeJS.Timeout;
    const wait = (remainingMs: number): void => {
      const step = Math.min(remainingMs, longestNodeTimerMs);
      timeout = setTimeout(() => (step < remainingMs ? wait(remainingMs - step) : callback()), step);
      if (!this.keepAlive) timeout.unref();
    };
    wait(delay);
    return { cancel: () => clearTimeout(timeout) };
  }
}
