import { setMaxListeners } from 'node:events';
import { isError, KubeletError } from '@podwright/errors';

/**
 * Calls `listener` once when the signal aborts; never for a signal that is aborted already. Returns unsubscribe. It
 * turns off Node's leak warning for the signal, because hundreds of waits may listen to one stop signal.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => undefined;
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** The reason of an aborted signal, as an error: a reason that is none becomes a `cancelled` KubeletError. */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return isError(reason) ? reason : new KubeletError(String(reason), { code: 'cancelled', cause: reason });
}

/**
 * The error with which an aborted call rejects: the signal's reason as a KubeletError, `cancelled` (or
 * `deadline-exceeded` for a timeout signal) when the reason has no code of its own.
 */
export function abortError(signal: AbortSignal): KubeletError {
  const reason: unknown = signal.reason;
  const error = KubeletError.from(reason);
  return error === reason || error.code !== 'unknown'
    ? error
    : new KubeletError(error.message, { code: 'cancelled', cause: reason });
}
