import type { Clock, Random } from '@podwright/time';

/**
 * When a status that has not changed is sent all the same. After a change and at the start the period is made shorter or
 * longer by up to a half, so that the nodes of a cluster do not report at one time; after a report because of the period it is
 * kept to. Source: kubernetes v1.36 pkg/kubelet/kubelet_node_status.go isUpdateStatusPeriodExpired, calculateDelay.
 */
export class ReportSchedule {
  private reportedAt: number | undefined;
  private delayMs = 0;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly random: Random,
    private readonly frequencyMs: number,
  ) {}

  /** Whether the status is to be sent; `changed` says whether it differs. Chooses the delay of the time after. */
  due(changed: boolean): boolean {
    const first = this.reportedAt === undefined;
    const expired = first || this.clock.monotonic() - (this.reportedAt ?? 0) >= this.frequencyMs + this.delayMs;
    if (!changed && !expired) return false;
    this.delayMs = changed || first ? this.frequencyMs * (this.random.next() - 0.5) : 0;
    return true;
  }

  /** The API server has taken it. */
  reported(): void {
    this.reportedAt = this.clock.monotonic();
  }
}
