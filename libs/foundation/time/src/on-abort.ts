import { setMaxListeners } from 'node:events';
import { isError, KubeletError } from '@podwright/errors';

/**
 * Calls `listener` once when the signal aborts (not when it has aborted before). Returns unsubscribe. Hundreds of waits
 * may hang on one stop signal, so Node's leak warning at the eleventh listener is switched off for it.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => undefined;
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** An aborted signal's reason as an error. */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return isError(reason) ? reason : new KubeletError(String(reason), { code: 'cancelled', cause: reason });
}
