import { KubeApiError } from '@podwright/kube-client-interface';

const brokenConnection: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'ERR_HTTP2_GOAWAY_SESSION',
  'ERR_HTTP2_INVALID_SESSION',
  'ERR_HTTP2_PING_CANCEL',
  'ERR_HTTP2_SESSION_ERROR',
  'ERR_HTTP2_STREAM_CANCEL',
  'ERR_HTTP2_STREAM_ERROR',
]);

/**
 * True for an error that a retry may fix: a broken connection, an internal error, a timeout or too many requests at the
 * server, and any answer with Retry-After. An unreachable server is not one.
 * Source: kubernetes v1.36 apiserver/pkg/util/webhook/webhook.go DefaultShouldRetry.
 */
export function isRetriable(error: unknown): boolean {
  if (!(error instanceof KubeApiError)) return false;
  const { httpStatus, reason, retryAfterMs, status } = error;
  if (httpStatus === 0) return isBroken(error.cause);
  const is = (name: string, code: number): boolean => reason === name || ((reason ?? '') === '' && httpStatus === code);
  if (is('InternalError', 500) || is('Timeout', 504) || is('TooManyRequests', 429) || httpStatus === 429) return true;
  return (retryAfterMs ?? 0) > 0 || (reason === 'ServerTimeout' && status?.details !== undefined);
}

function isBroken(error: unknown): boolean {
  for (let current = error; typeof current === 'object' && current !== null;) {
    const { code, cause } = current as { code?: unknown; cause?: unknown };
    if (brokenConnection.has(code)) return true;
    current = cause;
  }
  return false;
}
