import { KubeApiError } from '@podwright/kube-client-interface';

function reasonOf(error: unknown): string | undefined {
  return error instanceof KubeApiError ? error.status?.reason : undefined;
}

/**
 * The resource version is too old for the server. Source, as of all here: kubernetes v1.36
 * client-go/tools/cache/reflector.go.
 */
export function isExpired(error: unknown): boolean {
  const reason = reasonOf(error);
  return reason === 'Expired' || reason === 'Gone' || (error instanceof KubeApiError && error.httpStatus === 410);
}

/** The resource version is newer than anything that the server knows, as after a restore of etcd. */
export function isTooLargeResourceVersion(error: unknown): boolean {
  if (!(error instanceof KubeApiError)) return false;
  const causes = error.status?.details?.causes ?? [];
  if (causes.some(({ reason }) => reason === 'ResourceVersionTooLarge')) return true;
  if (error.status?.reason !== 'Timeout') return false;
  const text = 'Too large resource version';
  return causes.some(({ message }) => message === text) || error.message.includes(text);
}

/**
 * The server is overloaded or unreachable: retry the watch from its version without a new list. Upstream does so for a
 * refused connection and for 429; this adds other connection failures and 503, because a server that restarts behind a
 * load balancer must not get a list from every informer.
 */
export function keepsResourceVersion(error: unknown): boolean {
  if (!(error instanceof KubeApiError)) return false;
  return (
    error.httpStatus === 429 || error.httpStatus === 503 || (error.httpStatus === 0 && error.code === 'unavailable')
  );
}

/** The error for a stream with something other than watch events. */
export function garbledWatch(message: string, cause?: unknown): KubeApiError {
  return new KubeApiError(message, { code: 'data-loss', httpStatus: 200, cause });
}
