import type { MetricsRegistry, Counter } from '@podwright/metrics';
import type { ProbeOutcome } from '@podwright/probe-interface';
import type { Clock } from '@podwright/time';
import { AttemptTime } from './attempt-time.js';

// Some servers hang up on a client after this time; the extended time alone covers shorter stalls.
const meaningfulStallMs = 100;
const maxAttempts = 3;

/**
 * Prevents stalls of our event loop from counting against a container: discards an attempt that failed during a stall
 * and retries it at once, up to three attempts; then the outcome is `inconclusive`.
 */
export class StallGuard {
  private readonly discarded: Counter;

  constructor(
    private readonly clock: Clock,
    metrics: Pick<MetricsRegistry, 'counter'>,
  ) {
    this.discarded = metrics.counter({
      name: 'podwright_probe_attempts_discarded_total',
      help: 'Failed probe attempts that were not counted because the event loop of the kubelet stood still during them',
    });
  }

  /** `attempt` starts the time that it gets; this method ends it. */
  async run(
    timeoutMs: number,
    signal: AbortSignal,
    attempt: (time: AttemptTime) => Promise<ProbeOutcome>,
  ): Promise<ProbeOutcome> {
    for (let attempts = 1; ; attempts += 1) {
      const time = new AttemptTime(this.clock, timeoutMs);
      const outcome = await attempt(time).finally(() => time.end());
      const good = outcome.result === 'success' || outcome.result === 'warning';
      if (good || time.stalledMs < meaningfulStallMs || signal.aborted) return outcome;
      this.discarded.increment();
      if (attempts === maxAttempts) return { result: 'inconclusive' };
    }
  }
}
