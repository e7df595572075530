import { RateLimit } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import type { Clock } from '@podwright/time';

/**
 * Limits pulls to `qps` per second with bursts of `burst`; no limit when `qps` is 0. A pull over the limit fails
 * instead of waiting, and so enters its back-off. Source: kubernetes v1.36 pkg/kubelet/images/helpers.go,
 * throttledImageService.
 */
export class PullLimiter {
  private readonly limit: RateLimit | undefined;

  constructor(clock: Clock, qps: number, burst: number) {
    this.limit = qps === 0 ? undefined : new RateLimit(clock, qps, burst);
  }

  /** @throws KubeletError `unknown`, so that no code appears before the text, as upstream. */
  take(): void {
    if (this.limit?.allow() === false) throw new KubeletError('pull QPS exceeded', { code: 'unknown' });
  }
}
