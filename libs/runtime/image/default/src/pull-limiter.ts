import { KubeletError } from '@podwright/errors';
import type { Clock } from '@podwright/time';

/**
 * Token bucket in front of the registry: `qps` pulls per second, `burst` at once; no limit when `qps` is 0. A pull over
 * the limit is not queued but fails, and so goes into its back-off.
 * Source: kubernetes v1.36 pkg/kubelet/images/helpers.go, throttledImageService.
 */
export class PullLimiter {
  private tokens: number;
  private refilledAtMs: number;

  constructor(
    private readonly clock: Clock,
    private readonly qps: number,
    private readonly burst: number,
  ) {
    this.tokens = burst;
    this.refilledAtMs = clock.monotonic();
  }

  /** @throws KubeletError `unknown`, as upstream's error has no code and shows its text alone. */
  take(): void {
    if (this.qps === 0) return;
    const nowMs = this.clock.monotonic();
    this.tokens = Math.min(this.burst, this.tokens + ((nowMs - this.refilledAtMs) / 1000) * this.qps);
    this.refilledAtMs = nowMs;
    if (this.tokens < 1) throw new KubeletError('pull QPS exceeded', { code: 'unknown' });
    this.tokens--;
  }
}
