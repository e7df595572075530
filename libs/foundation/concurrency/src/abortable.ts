import { abortReason, onAbort } from '@podwright/time';

/**
 * Settles as `promise` does, or rejects with the signal's reason as soon as the signal aborts. Use it for calls that
 * may ignore their signal: the call itself continues, but its outcome is dropped.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(abortReason(signal));
    if (signal.aborted) abort();
    const unsubscribe = onAbort(signal, abort);
    // Settling twice has no effect: a late outcome is dropped, and a late rejection counts as handled.
    void promise.then(resolve, reject).finally(unsubscribe);
  });
}
