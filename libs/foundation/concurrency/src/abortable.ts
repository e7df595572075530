import { KubeletError } from '@podwright/errors';

/** The signal's reason as an error; `cancelled` when the reason is none. */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new KubeletError(String(reason), { code: 'cancelled', cause: reason });
}

/**
 * Settles as `promise` does, or rejects with the signal's reason as soon as it aborts. The work behind the promise goes
 * on, its outcome is dropped: use it for calls that may ignore their signal.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(abortReason(signal));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    // Settling twice has no effect, so a late outcome is neither seen nor an unhandled rejection.
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
