import { isError, KubeletError } from '@podwright/errors';

/** The listeners of one signal, behind one listener of Node: adding and removing those costs ten times as much. */
interface Listeners {
  readonly all: Set<() => void>;
  readonly call: () => void;
}

const listenersOf = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls `listener` once when the signal aborts; never for a signal that is aborted already. Returns unsubscribe.
 * Hundreds of waits may listen to one stop signal. A listener that throws does not keep the others from being called.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined || signal.aborted) return () => undefined;
  const listeners = listenersOf.get(signal) ?? listenTo(signal);
  listeners.all.add(listener);
  return () => {
    listeners.all.delete(listener);
    if (listeners.all.size > 0 || listenersOf.get(signal) !== listeners) return;
    // Node keeps some signals alive while they have a listener.
    listenersOf.delete(signal);
    signal.removeEventListener('abort', listeners.call);
  };
}

function listenTo(signal: AbortSignal): Listeners {
  const all = new Set<() => void>();
  const call = (): void => {
    listenersOf.delete(signal);
    for (const listener of all) {
      try {
        listener();
      } catch (error) {
        // As Node does: the error has no caller to go to.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  };
  const listeners = { all, call };
  listenersOf.set(signal, listeners);
  signal.addEventListener('abort', call, { once: true });
  return listeners;
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
