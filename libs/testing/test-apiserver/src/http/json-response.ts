import { ApiError, internalError } from '@podwright/api-machinery';
import { messageOf } from '@podwright/errors';
import type { ApiResponse } from './api-request.js';

/** A JSON answer. */
export function jsonResponse(
  status: number,
  object: unknown,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse {
  const body = new TextEncoder().encode(`${JSON.stringify(object)}\n`);
  return {
    status,
    headers: {
      'cache-control': 'no-cache, private',
      'content-type': 'application/json',
      'content-length': String(body.byteLength),
      ...headers,
    },
    body,
  };
}

export function textResponse(status: number, text: string): ApiResponse {
  const body = new TextEncoder().encode(text);
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'content-length': String(body.byteLength) },
    body,
  };
}

/** The Status for any thrown value. All but an ApiError become a 500. */
export function errorResponse(thrown: unknown): ApiResponse {
  const error = thrown instanceof ApiError ? thrown : internalError(messageOf(thrown));
  const wait = error.details.retryAfterSeconds;
  return jsonResponse(error.httpStatus, error.status(), wait === undefined ? {} : { 'retry-after': String(wait) });
}
