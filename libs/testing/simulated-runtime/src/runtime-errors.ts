import { KubeletError } from '@podwright/errors';

// Codes and words as containerd 2.1 answers, seen on the real thing.

export const notFound = (what: string): KubeletError => new KubeletError(`${what}: not found`, { code: 'not-found' });
export const unknown = (message: string): KubeletError => new KubeletError(message, { code: 'unknown' });
export const unavailable = (message: string): KubeletError => new KubeletError(message, { code: 'unavailable' });

/** What an aborted call rejects with: the signal's own KubeletError, else `cancelled` around the reason. */
export function fromAbort(signal: AbortSignal): KubeletError {
  const reason: unknown = signal.reason;
  const error = KubeletError.from(reason);
  return error === reason || error.code !== 'unknown'
    ? error
    : new KubeletError(error.message, { code: 'cancelled', cause: reason });
}
