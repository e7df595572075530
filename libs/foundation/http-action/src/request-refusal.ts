import { goQuote } from '@podwright/kube-types';
import type { HttpGetRequest } from './http-get-request.js';

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// With such a character (a line feed, for example) a header value could inject headers or a second request.
const unsafe = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/**
 * The error of Go's client when it would refuse to send this request; undefined when it would send it.
 * Source: Go net/http transport.go roundTrip, validateHeaders.
 */
export function requestRefusal({ scheme, headers }: HttpGetRequest): string | undefined {
  if (scheme !== 'http' && scheme !== 'https') return `unsupported protocol scheme ${goQuote(scheme)}`;
  for (const [name, value] of headers) {
    if (!token.test(name)) return `net/http: invalid header field name ${goQuote(name)}`;
    if (unsafe.test(value)) return `net/http: invalid header field value for ${goQuote(name)}`;
  }
  return undefined;
}
