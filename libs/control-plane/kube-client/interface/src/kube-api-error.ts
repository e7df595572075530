import { KubeletError, type ErrorCode } from '@podwright/errors';
import type { ApiStatus } from '@podwright/kube-types';

export interface KubeApiErrorOptions {
  readonly code: ErrorCode;
  /** 0 when no answer came. */
  readonly httpStatus: number;
  /** The Status object of the answer, when it was one. */
  readonly status?: ApiStatus;
  /** How long the server asks the client to wait, from `Retry-After`. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/**
 * A call to the API server failed. The message is the server's, in the form that upstream logs. `reason` is that of the
 * Status object (`AlreadyExists`, `Conflict`, `Expired`, ...). Codes: 400 and 422 `invalid-argument`, 401
 * `unauthenticated`, 403 `permission-denied`, 404 `not-found`, 409 `already-exists` for reason AlreadyExists else
 * `aborted`, 410 `out-of-range`, 429 `resource-exhausted`, 504 and time-outs `deadline-exceeded`, 500 `internal`, other
 * 5xx and no connection `unavailable`.
 */
export class KubeApiError extends KubeletError {
  readonly httpStatus: number;
  readonly status: ApiStatus | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { code, httpStatus, status, retryAfterMs, cause }: KubeApiErrorOptions) {
    super(message, { code, cause, ...(status?.reason !== undefined && { reason: status.reason }) });
    this.name = 'KubeApiError';
    this.httpStatus = httpStatus;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
