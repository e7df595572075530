/**
 * The order in which statuses are sent: urgent ones first, each class in order of arrival, a pod once. Skips a pod with
 * a send in progress, so that the statuses of one pod stay in order.
 */
export class SendQueue {
  private readonly urgent = new Set<string>();
  private readonly ordinary = new Set<string>();
  private readonly sending = new Set<string>();

  /** Number of sends in progress. */
  get running(): number {
    return this.sending.size;
  }

  isRunning(podUid: string): boolean {
    return this.sending.has(podUid);
  }

  /** A pod that already waits keeps its position, unless it has become urgent. */
  add(podUid: string, urgent: boolean): void {
    if (urgent) {
      this.ordinary.delete(podUid);
      this.urgent.add(podUid);
    } else if (!this.urgent.has(podUid)) this.ordinary.add(podUid);
  }

  /** The next pod, which counts as running until {@link finish}. */
  take(): string | undefined {
    for (const waiting of [this.urgent, this.ordinary]) {
      for (const podUid of waiting) {
        if (this.sending.has(podUid)) continue;
        waiting.delete(podUid);
        this.sending.add(podUid);
        return podUid;
      }
    }
    return undefined;
  }

  finish(podUid: string): void {
    this.sending.delete(podUid);
  }

  clear(): void {
    this.urgent.clear();
    this.ordinary.clear();
  }
}
