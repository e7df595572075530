import { performance } from 'node:perf_hooks';
import { BaseClock, checkedDelay } from './base-clock.js';
import type { Clock, Timer } from './clock.js';

export interface SystemClockOptions {
  /** Whether a pending timer or sleep keeps the process alive, as a script needs it. Default false. */
  readonly keepAlive?: boolean;
}

/**
 * The real clock. Its timers do not keep the process alive (unless `keepAlive` is set), so that a daemon can exit at
 * once; see {@link holdProcess}. Delays may have any length; `Infinity` means never.
 */
export function createSystemClock(options: SystemClockOptions = {}): Clock {
  return new SystemClock(options.keepAlive ?? false);
}

// Node would fire a longer timer at once.
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
