import { hasCode, messageOf } from '@podwright/errors';
import { escapeHtml } from './escape-html.js';

/** An HTTP answer. The server sends an iterable body in chunks, as fast as the client reads. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array | string>;
}

const plain = { 'Content-Type': 'text/plain; charset=utf-8' };

export const text = (status: number, body: string): Answer => ({ status, headers: plain, body });
/** A plain text answer as of Go's http.Error: it ends in a line feed and has `X-Content-Type-Options: nosniff`. */
export const goError = (status: number, message: string): Answer => ({
  status,
  headers: { ...plain, 'X-Content-Type-Options': 'nosniff' },
  body: `${message}\n`,
});

/** A JSON answer, indented for people to read. */
export const jsonPage = (value: unknown): Answer => ({
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value, undefined, 1),
});

/** The answer for a path without a handler. */
export const notFound = goError(404, '404 page not found');
/** The answer for an unknown path in a web service. */
export const pageNotFound = text(404, '404: Page Not Found');
export const methodNotAllowed = (allowed: readonly string[]): Answer => ({
  status: 405,
  headers: { Allow: allowed.join(', '), ...plain },
  body: '405: Method Not Allowed',
});
export const notAcceptable = (available: readonly string[]): Answer =>
  text(406, `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`);
/** A redirect as Go's server sends it. `location` is a path with a query on this server. */
export const redirect = (method: string, location: string): Answer =>
  method === 'GET' || method === 'HEAD'
    ? {
        status: 307,
        headers: { 'Content-Type': 'text/html; charset=utf-8', Location: location },
        body: `<a href="${escapeHtml(location)}">Temporary Redirect</a>.\n\n`,
      }
    : { status: 307, headers: { Location: location }, body: '' };
export const tooManyRequests: Answer = {
  ...goError(429, 'Too many requests, please try again later.'),
  headers: { ...goError(429, '').headers, 'Retry-After': '1' },
};
/**
 * The answer for a stream that could not be opened.
 * Source: kubernetes v1.36 staging/src/k8s.io/cri-streaming/pkg/streaming/errors.go.
 */
export function upgradeError(error: unknown): Answer {
  if (hasCode(error, 'not-found')) return goError(404, messageOf(error));
  if (hasCode(error, 'invalid-argument')) return goError(400, messageOf(error));
  const answer = goError(hasCode(error, 'resource-exhausted') ? 429 : 500, messageOf(error));
  return answer.status === 429 ? { ...answer, headers: { ...answer.headers, 'Retry-After': '60' } } : answer;
}
export const debuggingDisabled = goError(405, 'Debug endpoints are disabled.');
/** The answer of an endpoint that the configuration disables. */
export const endpointDisabled = (name: string): Answer => goError(405, `${name} endpoint is disabled.`);
export const badRequest: Answer = { status: 400, headers: { ...plain, Connection: 'close' }, body: '400 Bad Request' };
export const tooManyHeaders: Answer = {
  status: 431,
  headers: { ...plain, Connection: 'close' },
  body: '431 Request Header Fields Too Large',
};
export const internalError = goError(500, 'Internal Server Error');
