import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';

export interface StopSignals {
  /** Aborted by the first SIGTERM or SIGINT. */
  readonly stopping: AbortSignal;
  /** Resolves when the time for an orderly stop is over. */
  readonly overdue: Promise<void>;
}

/** Listens for SIGTERM and SIGINT. Both leave containers alone. */
export function watchStopSignals(clock: Clock, logger: Logger, stopTimeoutMs: number): StopSignals {
  const stopping = new AbortController();
  const overdue = new Promise<void>((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      logger.info('Stopping, containers keep running', { signal });
      stopping.abort(new KubeletError('the kubelet is stopping', { code: 'cancelled' }));
      clock.setTimer(stopTimeoutMs, () => {
        logger.warn('Not everything has stopped in time, ending all the same', { stopTimeoutMs });
        resolve();
      });
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  });
  return { stopping: stopping.signal, overdue };
}
