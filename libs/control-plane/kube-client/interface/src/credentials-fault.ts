import { hasCode, KubeletError } from '@podwright/errors';

/**
 * Creates the error of a request that was not sent because the kubelet has no usable credentials. Its code is
 * `unavailable`, so callers retry as for an unreachable server; its cause has the code `failed-precondition`.
 */
export function credentialsFault(message: string, cause?: unknown): KubeletError {
  return new KubeletError(message, {
    code: 'unavailable',
    cause: new KubeletError(message, { code: 'failed-precondition', cause }),
  });
}

/** True when a request failed because of missing credentials, not because of an unreachable server. */
export function isCredentialsFault(error: unknown): boolean {
  return hasCode(error, 'unavailable') && hasCode(error, 'failed-precondition');
}
