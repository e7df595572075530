import { hasCode, messageOf } from '@podwright/errors';
import { KubeApiError, type KubeHttpRequest } from '@podwright/kube-client-interface';

/**
 * The error of a request without an answer, in the form of Go's url.Error: `Get "https://...": what went wrong`.
 * Returns an API error as it is. `gaveUp`: the caller's signal or time limit ended the request; any other timeout, such
 * as that of a TLS handshake, is the transport's and means that the server is unreachable.
 */
export function callError(
  method: KubeHttpRequest['method'],
  url: string,
  error: unknown,
  gaveUp: boolean,
): KubeApiError {
  if (error instanceof KubeApiError) return error;
  const verb = `${method.slice(0, 1)}${method.slice(1).toLowerCase()}`;
  const code = gaveUp ? endOf(error) : 'unavailable';
  const text =
    code === 'deadline-exceeded'
      ? `context deadline exceeded (${messageOf(error)})`
      : code === 'cancelled'
        ? 'context canceled'
        : messageOf(error);
  return new KubeApiError(`${verb} "${url}": ${text}`, { code, httpStatus: 0, cause: error });
}

/** True when there was no answer because the server is unreachable, not because the caller gave up. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof KubeApiError && error.httpStatus === 0 && error.code === 'unavailable';
}

// Node's error codes of sockets and HTTP/2 sessions for an established connection that broke.
const brokenConnection = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_HTTP2_GOAWAY_SESSION',
  'ERR_HTTP2_INVALID_SESSION',
  'ERR_HTTP2_PING_CANCEL',
  'ERR_HTTP2_SESSION_ERROR',
  'ERR_HTTP2_STREAM_CANCEL',
  'ERR_HTTP2_STREAM_ERROR',
]);

/**
 * As client-go's IsConnectionReset, IsProbableEOF and IsHTTP2ConnectionLost: the server went away during the request.
 */
export function isBrokenConnection(error: unknown): boolean {
  for (let current = error; typeof current === 'object' && current !== null;) {
    const { code, cause } = current as { code?: unknown; cause?: unknown };
    if (typeof code === 'string' && brokenConnection.has(code)) return true;
    current = cause;
  }
  return false;
}

function endOf(error: unknown): 'deadline-exceeded' | 'cancelled' | 'unavailable' {
  if (hasCode(error, 'deadline-exceeded')) return 'deadline-exceeded';
  const isAbort = typeof error === 'object' && error !== null && (error as { name?: unknown }).name === 'AbortError';
  return isAbort || hasCode(error, 'cancelled') ? 'cancelled' : 'unavailable';
}
