import type { ErrorCode } from '@podwright/errors';
import { KubeApiError, type KubeHttpResponse } from '@podwright/kube-client-interface';
import type { ApiStatus } from '@podwright/kube-types';
import type { Answer } from '../content/answer.js';
import { genericStatus, type RequestSubject } from './generic-status.js';

/**
 * The error of an answer with a status other than 2xx: from the Status object in the body, else from the code.
 * Source: kubernetes v1.36 client-go/rest/request.go, Result.Error.
 */
export function answerError(
  { status: httpStatus, headers }: Pick<KubeHttpResponse, 'status' | 'headers'>,
  answer: Answer,
  subject: RequestSubject,
): KubeApiError {
  const generic = genericStatus(httpStatus, serverMessage(headers, answer.body), subject);
  const own = readFailure(answer);
  const status = own === undefined ? generic : { ...own, message: own.message ?? generic.message ?? '' };
  return statusError(status, httpStatus, retryAfterMs(headers));
}

/** The error of a Status object; `httpStatus` applies when it has no code. */
export function statusError(status: ApiStatus, httpStatus: number, waitMs?: number): KubeApiError {
  const code = status.code === undefined || status.code === 0 ? httpStatus : status.code;
  const seconds = status.details?.retryAfterSeconds ?? 0;
  const retryAfter = waitMs ?? (seconds > 0 ? seconds * 1000 : undefined);
  return new KubeApiError(status.message ?? '', {
    code: errorCode(code, status.reason),
    httpStatus: code,
    status,
    ...(retryAfter !== undefined && { retryAfterMs: retryAfter }),
  });
}

/** Milliseconds of a `Retry-After` in whole seconds; as upstream, ignores dates. */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers['retry-after'];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) * 1000 : undefined;
}

/** The body if it is a Status object with Failure; the kind may be missing, as old servers omit it. */
function readFailure({ body, format }: Answer): ApiStatus | undefined {
  try {
    const value = format.decode(body) as ApiStatus | null;
    return value?.status === 'Failure' && (value.kind ?? 'Status') === 'Status' ? value : undefined;
  } catch {
    return undefined; // Not a Status: code and text describe the answer.
  }
}

// Maximum length shown of a body that is no Status object.
const mostTextLength = 2048;

function serverMessage(headers: Readonly<Record<string, string>>, body: Buffer): string {
  const type = headers['content-type'] ?? '';
  return type === '' || type.startsWith('text/') ? body.toString('utf8').slice(0, mostTextLength).trim() : 'unknown';
}

const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid-argument',
  401: 'unauthenticated',
  403: 'permission-denied',
  404: 'not-found',
  409: 'aborted',
  410: 'out-of-range',
  422: 'invalid-argument',
  429: 'resource-exhausted',
  500: 'internal',
  504: 'deadline-exceeded',
};

function errorCode(httpStatus: number, reason: string | undefined): ErrorCode {
  if (httpStatus === 409 && reason === 'AlreadyExists') return 'already-exists';
  return codes[httpStatus] ?? (httpStatus >= 500 ? 'unavailable' : httpStatus >= 400 ? 'invalid-argument' : 'unknown');
}
