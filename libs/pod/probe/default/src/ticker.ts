import type { Clock } from '@podwright/time';

/**
 * Ticks on a fixed grid, as Go's: a run that takes longer than a period is followed by the next one at once, ticks beyond
 * that one are left out, and the grid stays. `trigger` makes one tick out of turn, with which a new grid begins.
 */
export class Ticker {
  private nextAt: number;
  private triggered = false;
  private wake: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly periodMs: number,
  ) {
    this.nextAt = clock.monotonic() + periodMs;
  }

  /** A new grid begins now; a trigger from before still counts. */
  restart(): void {
    this.nextAt = this.clock.monotonic() + this.periodMs;
  }

  /** One tick as soon as `next` is waited for. Several before that count once. */
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
        signal.removeEventListener('abort', done);
        this.wake = undefined;
        resolve();
      };
      const timer = this.clock.setTimer(delayMs, done);
      signal.addEventListener('abort', done, { once: true });
      this.wake = done;
    });
  }
}
