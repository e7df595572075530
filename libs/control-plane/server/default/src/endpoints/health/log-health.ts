import type { HealthCheck } from '@podwright/server-interface';
import type { Clock } from '@podwright/time';

const blockedAfterMs = 120_000;

/**
 * Fails when a flush of the log has been blocked for two minutes, because the reader of the log has stopped. Each check
 * starts a flush if none is pending; upstream flushes once a minute. Source: kubernetes v1.36
 * apiserver/pkg/server/healthz (LogHealthz).
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
