import type { ApiStatus } from '@podwright/kube-types';
import { parseJsonObject } from '@podwright/kube-types';

/** The server answered with a failure. */
export class ApiError extends Error {
  constructor(
    readonly status: ApiStatus,
    /** True: the answer was text, as of the kubelet's own routes, and the status is made of it. */
    readonly isText = false,
  ) {
    super(status.message ?? `the server answered with status ${status.code ?? 0}`);
    this.name = 'ApiError';
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status.code === 404;
}

/** True when a watch starts at a version that the server no longer has; list again. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status.code === 410;
}

/** The error of an answer: its `Status` object, or one made of its text, as the kubelet's own routes answer in text. */
export function apiErrorOf(code: number, body: string): ApiError {
  const status = parsedStatus(body);
  return status === undefined
    ? new ApiError({ status: 'Failure', code, reason: reasons.get(code) ?? '', message: body.trim() }, true)
    : new ApiError(status);
}

function parsedStatus(body: string): ApiStatus | undefined {
  const parsed = parseJsonObject(body);
  return parsed?.['kind'] === 'Status' ? (parsed as unknown as ApiStatus) : undefined;
}

const reasons: ReadonlyMap<number, string> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [405, 'MethodNotAllowed'],
  [409, 'Conflict'],
  [410, 'Expired'],
  [413, 'RequestEntityTooLarge'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
]);
