import { goQuote } from '@podwright/kube-types';
import type { HttpGetRequest } from './http-get-request.js';

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// A value that holds one of these would be a request of its own.
const unsafe = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/**
 * Why Go's client would not send this request, in its words; undefined when it would.
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
