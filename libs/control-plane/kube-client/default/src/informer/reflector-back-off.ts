import { jitter, type Clock, type Random } from '@podwright/time';
import { linkSignals } from '../request/link-signals.js';

const initialMs = 800;
const maxMs = 30_000;
const factor = 2;
const jitterFactor = 1;
const resetAfterMs = 2 * 60_000;

/**
 * The waits of a reflector: 0.8 s, doubled up to 30 s, each plus up to as much again, from anew once two minutes have
 * passed since the last beginning, or once a server that was away answers others: upstream would sleep on for up to a minute,
 * and the node be NotReady as long. Source: kubernetes v1.36 client-go/tools/cache/reflector.go and
 * apimachinery/pkg/util/wait/backoff.go, DelayWithReset.
 */
export class ReflectorBackOff {
  private nextMs = initialMs;
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
    const waking = new AbortController();
    const leave = this.onServerBack(() => waking.abort());
    const linked = linkSignals(signal, waking.signal);
    try {
      await this.sleep(this.step(), linked.signal);
    } finally {
      linked.dispose();
      leave();
    }
    if (!waking.signal.aborted || signal.aborted) return;
    // The first wait again: it spreads those who all heard it in the same moment.
    this.begunAtMs = this.clock.monotonic();
    this.nextMs = initialMs;
    await this.sleep(this.step(), signal);
  }

  private async sleep(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await this.clock.sleep(ms, signal);
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
