import type { Clock, Timer } from '@podwright/time';

/**
 * Calls `expired` once when `seen()` was not called for `limitMs` (0 = never). `seen()` is cheap: it only reads the
 * clock. The single timer checks the time of the last call when it fires.
 */
export class IdleWatch {
  private seenAt: number;
  private timer: Timer | undefined;

  constructor(
    private readonly clock: Clock,
    private limitMs: number,
    private readonly expired: () => void,
  ) {
    this.seenAt = clock.monotonic();
    this.arm(limitMs);
  }

  seen(): void {
    this.seenAt = this.clock.monotonic();
  }

  /** A new limit, counted from now. */
  limit(limitMs: number): void {
    this.limitMs = limitMs;
    this.seen();
    this.timer?.cancel();
    this.arm(limitMs);
  }

  end(): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.limitMs = 0;
  }

  private arm(delayMs: number): void {
    this.timer = this.limitMs === 0 ? undefined : this.clock.setTimer(delayMs, () => this.check());
  }

  private check(): void {
    if (this.limitMs === 0) return;
    const leftMs = this.seenAt + this.limitMs - this.clock.monotonic();
    if (leftMs > 0) return this.arm(leftMs);
    this.end();
    this.expired();
  }
}
