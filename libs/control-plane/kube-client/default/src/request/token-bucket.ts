import type { Clock } from '@podwright/time';

export interface TokenBucketOptions {
  readonly clock: Clock;
  /** Tokens per second, above 0. */
  readonly qps: number;
  /** Maximum number of tokens, at least 1. */
  readonly burst: number;
}

/**
 * Admits `burst` callers at once and then `qps` per second, in order of arrival. Source: kubernetes v1.36
 * client-go/util/flowcontrol/throttle.go, which uses golang.org/x/time/rate.
 */
export class TokenBucket {
  private tokens: number;
  private filledAtMs: number;

  constructor(private readonly options: TokenBucketOptions) {
    this.tokens = options.burst;
    this.filledAtMs = options.clock.monotonic();
  }

  /** Resolves with the milliseconds that the caller waited. An aborted wait returns its token. */
  async take(signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    this.fill();
    this.tokens -= 1;
    if (this.tokens >= 0) return 0;
    const waitMs = (-this.tokens / this.options.qps) * 1000;
    try {
      await this.options.clock.sleep(waitMs, signal);
    } catch (error) {
      this.tokens += 1;
      throw error;
    }
    return waitMs;
  }

  private fill(): void {
    const nowMs = this.options.clock.monotonic();
    this.tokens = Math.min(this.options.burst, this.tokens + ((nowMs - this.filledAtMs) / 1000) * this.options.qps);
    this.filledAtMs = nowMs;
  }
}
