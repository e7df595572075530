export interface GrowingPauseOptions {
  readonly firstMs: number;
  /** Default: no limit. A value below `firstMs` limits the first pause, too. */
  readonly longestMs?: number;
  /** Default 2. */
  readonly factor?: number;
}

/**
 * The growing pauses between the retries of one operation. For many operations by key, see {@link BackOff}. It adds no
 * jitter; see `jitter`. Source: kubernetes v1.36 apimachinery/pkg/util/wait/backoff.go, Backoff.
 */
export class GrowingPause {
  private nextMs: number;

  constructor(private readonly options: GrowingPauseOptions) {
    this.nextMs = options.firstMs;
  }

  /** Milliseconds until the next retry; each call grows the pause. */
  next(): number {
    const { longestMs = Infinity, factor = 2 } = this.options;
    const pauseMs = Math.min(this.nextMs, longestMs);
    this.nextMs = pauseMs * factor;
    return pauseMs;
  }

  /** Makes the next pause `firstMs` again. */
  reset(): void {
    this.nextMs = this.options.firstMs;
  }
}
