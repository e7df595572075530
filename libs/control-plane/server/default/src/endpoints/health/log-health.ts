import type { HealthCheck } from '@podwright/server-interface';
import type { Clock } from '@podwright/time';

const blockedAfterMs = 120_000;

/**
 * Fails when lines that were logged two minutes ago have still not left the process: whoever reads them has stopped. Looks
 * when it is asked, instead of once a minute. Source: kubernetes v1.36 apiserver/pkg/server/healthz (LogHealthz).
 */
export function logHealth(flush: () => Promise<void>, clock: Pick<Clock, 'monotonic'>): HealthCheck {
  let waitingSinceMs: number | undefined;
  return {
    name: 'log',
    check: () => {
      const nowMs = clock.monotonic();
      if (waitingSinceMs !== undefined) {
        return nowMs - waitingSinceMs < blockedAfterMs ? { ok: true } : { ok: false, reason: 'logging blocked' };
      }
      waitingSinceMs = nowMs;
      void flush().finally(() => (waitingSinceMs = undefined));
      return { ok: true };
    },
  };
}
