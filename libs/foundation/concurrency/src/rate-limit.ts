import type { Clock } from '@podwright/time';

/**
 * Token bucket that allows `burst` calls at once and `qps` calls a second in the long run. It refuses other calls
 * without a wait. Source of the rule: Allow of golang.org/x/time/rate.
 */
export class RateLimit {
  private tokens: number;
  private filledAtMs: number;

  constructor(
    private readonly clock: Clock,
    private readonly qps: number,
    private readonly burst: number,
  ) {
    this.tokens = burst;
    this.filledAtMs = clock.monotonic();
  }

  allow(): boolean {
    const nowMs = this.clock.monotonic();
    this.tokens = Math.min(this.burst, this.tokens + ((nowMs - this.filledAtMs) / 1000) * this.qps);
    this.filledAtMs = nowMs;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
