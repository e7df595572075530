import { GrowingPause, jitter, linkSignals, type Clock, type Random } from '@podwright/time';

const times = { firstMs: 800, longestMs: 30_000 };
const jitterFactor = 1;
const resetAfterMs = 2 * 60_000;

/**
 * Pauses of a reflector: 0.8 s, doubled up to 30 s, plus up to 100 % jitter. Starts again at 0.8 s two minutes after
 * the last start, or when an unavailable server answers other calls; upstream would wait up to a minute longer, and the
 * node would stay NotReady. Source: kubernetes v1.36 client-go/tools/cache/reflector.go and
 * apimachinery/pkg/util/wait/backoff.go, DelayWithReset.
 */
export class ReflectorBackOff {
  private readonly pause = new GrowingPause(times);
  private begunAtMs: number;

  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly onServerBack: (listener: () => void) => () => void = () => () => undefined,
  ) {
    this.begunAtMs = clock.monotonic();
  }

  /** Waits; resolves early, without an error, when the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    const waking = linkSignals(signal);
    const leave = this.onServerBack(() => waking.abort());
    try {
      await this.sleep(this.step(), waking.signal);
    } finally {
      waking.dispose();
      leave();
    }
    if (!waking.signal.aborted || signal.aborted) return;
    // A first pause again, because all informers learn of the server's return at the same moment.
    this.begunAtMs = this.clock.monotonic();
    this.pause.reset();
    await this.sleep(this.step(), signal);
  }

  private async sleep(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await this.clock.sleep(ms, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** The next pause in milliseconds. */
  step(): number {
    const nowMs = this.clock.monotonic();
    if (nowMs - this.begunAtMs > resetAfterMs) {
      this.begunAtMs = nowMs;
      this.pause.reset();
    }
    return jitter(this.random, this.pause.next(), jitterFactor);
  }
}
