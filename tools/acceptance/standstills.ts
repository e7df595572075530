const everyMs = 20;
// A timer that is a little late is no standstill.
const leastMs = 100;

/**
 * Watches for moments in which this machine stands still, or this process gets no processor, so that an upper bound on
 * what took a while does not count them: they say nothing about the kubelet.
 */
export class Standstills {
  private readonly found: { readonly fromMs: number; readonly toMs: number }[] = [];
  private lookedAtMs = Date.now();
  private readonly timer = setInterval(() => this.look(), everyMs).unref();

  stop(): void {
    clearInterval(this.timer);
  }

  /** Milliseconds between two moments of the machine's clock, less those in which it stood still. */
  ranMs(fromMs: number, toMs: number): number {
    this.look();
    const stoodMs = this.found.map((still) => Math.min(toMs, still.toMs) - Math.max(fromMs, still.fromMs));
    return toMs - fromMs - stoodMs.reduce((sum, ms) => sum + Math.max(0, ms), 0);
  }

  private look(): void {
    const nowMs = Date.now();
    const dueMs = this.lookedAtMs + everyMs;
    if (nowMs - dueMs >= leastMs) this.found.push({ fromMs: dueMs, toMs: nowMs });
    this.lookedAtMs = nowMs;
  }
}
