import type { MetricsRegistry, Counter } from '@podwright/metrics';
import type { ProbeOutcome } from '@podwright/probe-interface';
import type { Clock } from '@podwright/time';
import { AttemptTime } from './attempt-time.js';

// As long as some servers give a client before they hang up on it; shorter stalls are covered by the longer time alone.
const meaningfulStallMs = 100;
const maxAttempts = 3;

/**
 * Keeps stalls of our own event loop from being held against a container: an attempt that failed while the loop stood
 * still is thrown away and made again at once, up to three times; then the outcome is `inconclusive`.
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

  /** `attempt` starts the time that it is given; it is ended here. */
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
