import type { Answer } from '@podwright/http-answer';

const policy = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

const headers = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The answer with what a browser needs to know of every answer of the console. Without more, nothing is stored. */
export function secured(answer: Answer): Answer {
  return { ...answer, headers: { 'Cache-Control': 'no-store', ...answer.headers, ...headers } };
}
