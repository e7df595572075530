import type { Clock, Random } from '@podwright/time';

/**
 * Decides when to send an unchanged status. After a change and at the start, shortens or extends the period by up to
 * half, so that the nodes of a cluster do not report together; after a periodic report the period applies as it is.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet_node_status.go isUpdateStatusPeriodExpired, calculateDelay.
 */
export class ReportSchedule {
  private reportedAt: number | undefined;
  private delayMs = 0;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly random: Random,
    private readonly frequencyMs: number,
  ) {}

  /** Whether to send the status; `changed`: it differs from the last one. Also chooses the next delay. */
  due(changed: boolean): boolean {
    const first = this.reportedAt === undefined;
    const expired = first || this.clock.monotonic() - (this.reportedAt ?? 0) >= this.frequencyMs + this.delayMs;
    if (!changed && !expired) return false;
    this.delayMs = changed || first ? this.frequencyMs * (this.random.next('node-status report') - 0.5) : 0;
    return true;
  }

  /** Call it when the API server has accepted the status. */
  reported(): void {
    this.reportedAt = this.clock.monotonic();
  }
}
