import { hasCode, KubeletError } from '@podwright/errors';

/**
 * There is nothing to show to the server, so it was not even asked: `unavailable` for whoever waits for the server, with
 * `failed-precondition` in its cause for whoever says why.
 */
export function credentialsFault(message: string, cause?: unknown): KubeletError {
  return new KubeletError(message, {
    code: 'unavailable',
    cause: new KubeletError(message, { code: 'failed-precondition', cause }),
  });
}

/** Whether a request failed for want of credentials and not for want of a server. */
export function isCredentialsFault(error: unknown): boolean {
  return hasCode(error, 'unavailable') && hasCode(error, 'failed-precondition');
}
