import type { Histogram, MetricsRegistry } from '@podwright/metrics';
import type { Clock } from '@podwright/time';
import { statusSyncDuration } from './status-metrics.js';

/** Observes the time from a change of a pod's status until the API server has accepted it. */
export class DeliveryDurations {
  /** Time of the first change that the API server has not accepted yet; monotonic milliseconds. */
  private readonly changedAt = new Map<string, number>();
  private readonly duration: Histogram;

  constructor(
    private readonly clock: Clock,
    metrics: MetricsRegistry,
  ) {
    this.duration = statusSyncDuration(metrics);
  }

  changed(uid: string): void {
    if (!this.changedAt.has(uid)) this.changedAt.set(uid, this.clock.monotonic());
  }

  /**
   * `more`: there was another change meanwhile, which counts from now on. Returns the milliseconds; undefined for a
   * status without a change.
   */
  accepted(uid: string, more: boolean): number | undefined {
    const since = this.changedAt.get(uid);
    if (since === undefined) return undefined;
    const now = this.clock.monotonic();
    this.duration.observe((now - since) / 1000);
    if (more) this.changedAt.set(uid, now);
    else this.changedAt.delete(uid);
    return now - since;
  }

  /** UIDs of pods with a change that is not accepted yet. */
  podUids(): readonly string[] {
    return [...this.changedAt.keys()];
  }

  forget(uid: string): void {
    this.changedAt.delete(uid);
  }
}
