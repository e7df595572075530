import { abortReason, onAbort } from '@podwright/time';

/**
 * Settles as `promise` does, or rejects with the signal's reason as soon as it aborts. The work behind the promise goes
 * on, its outcome is dropped: use it for calls that may ignore their signal.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(abortReason(signal));
    if (signal.aborted) abort();
    const unsubscribe = onAbort(signal, abort);
    // Settling twice has no effect, so a late outcome is neither seen nor an unhandled rejection.
    void promise.then(resolve, reject).finally(unsubscribe);
  });
}
