import { RateLimit } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import type { Clock } from '@podwright/time';

/**
 * In front of the registry: `qps` pulls per second, `burst` at once; no limit when `qps` is 0. A pull over the limit is not
 * queued but fails, and so goes into its back-off.
 * Source: kubernetes v1.36 pkg/kubelet/images/helpers.go, throttledImageService.
 */
export class PullLimiter {
  private readonly limit: RateLimit | undefined;

  constructor(clock: Clock, qps: number, burst: number) {
    this.limit = qps === 0 ? undefined : new RateLimit(clock, qps, burst);
  }

  /** @throws KubeletError `unknown`, as upstream's error has no code and shows its text alone. */
  take(): void {
    if (this.limit?.allow() === false) throw new KubeletError('pull QPS exceeded', { code: 'unknown' });
  }
}
