import { jitter, type Clock, type Random } from '@podwright/time';

const initialMs = 800;
const maxMs = 30_000;
const factor = 2;
const jitterFactor = 1;
const resetAfterMs = 2 * 60_000;

/**
 * The waits of a reflector: 0.8 s, doubled up to 30 s, each plus up to as much again, from anew once two minutes have
 * passed since the last beginning. Source: kubernetes v1.36 client-go/tools/cache/reflector.go and
 * apimachinery/pkg/util/wait/backoff.go, DelayWithReset.
 */
export class ReflectorBackOff {
  private nextMs = initialMs;
  private begunAtMs: number;

  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
  ) {
    this.begunAtMs = clock.monotonic();
  }

  /** Waits; resolves early, without an error, when the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    try {
      await this.clock.sleep(this.step(), signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** The next wait in milliseconds. */
  step(): number {
    const nowMs = this.clock.monotonic();
    if (nowMs - this.begunAtMs > resetAfterMs) {
      this.begunAtMs = nowMs;
      this.nextMs = initialMs;
    }
    const waitMs = jitter(this.random, this.nextMs, jitterFactor);
    this.nextMs = Math.min(this.nextMs * factor, maxMs);
    return waitMs;
  }
}
