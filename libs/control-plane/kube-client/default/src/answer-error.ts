import type { ErrorCode } from '@podwright/errors';
import { KubeApiError, type KubeHttpRequest, type ResourceType } from '@podwright/kube-client-interface';
import type { ApiStatus } from '@podwright/kube-types';

/** What a failed request was about, for the message. */
export interface RequestSubject {
  readonly method: KubeHttpRequest['method'];
  readonly resource?: ResourceType;
  readonly name?: string;
}

/** The error of an answer with a status other than 2xx. Source: kubernetes v1.36 client-go/rest/request.go, Result.Error. */
export function answerError(
  httpStatus: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  subject: RequestSubject,
): KubeApiError {
  const retryAfterMs = retryAfter(headers);
  const status = readStatus(body);
  const retry = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status?.status === 'Failure') return statusError(status, httpStatus, retryAfterMs);
  const generic = genericStatus(httpStatus, serverMessage(headers, body), subject);
  return new KubeApiError(generic.message ?? '', {
    code: errorCode(httpStatus, generic.reason),
    httpStatus,
    status: generic,
    ...retry,
  });
}

/** The error that a Status object stands for; `httpStatus` where it names no code itself. */
export function statusError(status: ApiStatus, httpStatus: number, retryAfterMs?: number): KubeApiError {
  const code = status.code === undefined || status.code === 0 ? httpStatus : status.code;
  const seconds = status.details?.retryAfterSeconds;
  const retry = retryAfterMs ?? (seconds === undefined || seconds === 0 ? undefined : seconds * 1000);
  return new KubeApiError(status.message ?? '', {
    code: errorCode(code, status.reason),
    httpStatus: code,
    status,
    ...(retry !== undefined && { retryAfterMs: retry }),
  });
}

/** Milliseconds of a `Retry-After` of whole seconds; dates are not read, as upstream does not. */
export function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers['retry-after'];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) * 1000 : undefined;
}

function readStatus(body: string): ApiStatus | undefined {
  if (!body.trimStart().startsWith('{')) return undefined;
  try {
    const value = JSON.parse(body) as ApiStatus;
    return value.kind === undefined || value.kind === 'Status' ? value : undefined;
  } catch {
    return undefined; // Not a Status: the answer is described by its code and text.
  }
}

// The most that is shown of a body that is no Status object.
const mostTextBytes = 2048;

function serverMessage(headers: Readonly<Record<string, string>>, body: string): string {
  const type = headers['content-type'] ?? '';
  return type === '' || type.startsWith('text/') ? body.slice(0, mostTextBytes).trim() : 'unknown';
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

const genericTexts: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  400: ['BadRequest', 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  409: ['Conflict', 'the server reported a conflict'],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: [
    'Timeout',
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
};

// Source: kubernetes v1.36 apimachinery/pkg/api/errors/errors.go, NewGenericServerResponse.
function genericStatus(code: number, text: string, { method, resource, name = '' }: RequestSubject): ApiStatus {
  const [reason, message] = genericText(code, text, method);
  const resourceName =
    resource === undefined ? '' : `${resource.plural}${resource.group === '' ? '' : `.${resource.group}`}`;
  const about = [method.toLowerCase(), resourceName, name].filter((part) => part !== '').join(' ');
  return {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code,
    reason,
    message: resource === undefined ? message : `${message} (${about})`,
    details: {
      ...(resource !== undefined && { group: resource.group, kind: resource.plural, name }),
      causes: [{ reason: 'UnexpectedServerResponse', message: text }],
    },
  };
}

function genericText(code: number, text: string, method: string): readonly [reason: string, message: string] {
  if (code === 409 && method === 'POST') return ['AlreadyExists', 'the server reported a conflict'];
  if (code === 403) return ['Forbidden', text];
  if (code === 415) return ['UnsupportedMediaType', text];
  if (code === 406) {
    const unknown = 'the server was unable to respond with a content type that the client supports';
    return ['NotAcceptable', text === '' || text === 'unknown' ? unknown : text];
  }
  const known = genericTexts[code];
  if (known !== undefined) return known;
  if (code >= 500)
    return [
      'InternalError',
      `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`,
    ];
  return ['', `the server responded with the status code ${code} but did not return more information`];
}
