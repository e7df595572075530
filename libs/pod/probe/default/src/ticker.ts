import { onAbort, type Clock } from '@podwright/time';

/**
 * Ticks at fixed times, as Go's Ticker: after a run longer than a period the next tick comes at once, further missed
 * ticks are dropped, and the schedule stays. `trigger` causes an extra tick and restarts the schedule there.
 */
export class Ticker {
  private nextAt = 0;
  private triggered = false;
  private wake: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly periodMs: number,
  ) {}

  /** Starts the schedule now, or anew; a pending trigger still counts. */
  restart(): void {
    this.nextAt = this.clock.monotonic() + this.periodMs;
  }

  /** Causes one tick for the current or next `next`. Several triggers before it count once. */
  trigger(): void {
    this.triggered = true;
    this.wake?.();
  }

  /** Resolves at the next tick, or when the signal aborts. One waiter at a time. */
  async next(signal: AbortSignal): Promise<void> {
    if (!this.triggered && !signal.aborted) await this.wait(this.nextAt - this.clock.monotonic(), signal);
    const now = this.clock.monotonic();
    if (this.triggered) this.nextAt = now + this.periodMs;
    else this.nextAt += Math.max(1, Math.floor((now - this.nextAt) / this.periodMs) + 1) * this.periodMs;
    this.triggered = false;
  }

  private wait(delayMs: number, signal: AbortSignal): Promise<void> {
    if (delayMs <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        timer.cancel();
        unsubscribe();
        this.wake = undefined;
        resolve();
      };
      const timer = this.clock.setTimer(delayMs, done);
      const unsubscribe = onAbort(signal, done);
      this.wake = done;
    });
  }
}
