import { KubeletError } from '@podwright/errors';
import { goQuote } from '@podwright/kube-types';
import { joinHostPort } from './host-port.js';
import { requestUrl, type HttpGetRequest } from './http-get-request.js';

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
// Go takes a URL without a host (`http://:80/`), URL does not.
const noHost = 'no-host.invalid';
const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** Requests of one probe or hook, the first included. */
export const mostRedirects = 10;

/** Go's error for one redirect too many: it has the Location as the server has written it. */
export const tooManyRedirects = (location: string): string =>
  `Get ${goQuote(location)}: stopped after ${mostRedirects} redirects`;

/**
 * The next request after a redirect. Undefined when the answer is final: it is no redirect, has no Location, or leads
 * to another host. Throws `invalid-argument` for an invalid Location. Source: Go net/http client.go, and
 * RedirectChecker of kubernetes v1.36 pkg/probe/http/http.go.
 */
export function redirectedRequest(
  request: HttpGetRequest,
  status: number,
  location: string,
): HttpGetRequest | undefined {
  if (!redirects.has(status) || location === '') return undefined;
  const from = requestUrl(request);
  const base = requestUrl({ ...request, host: request.host || noHost });
  if (!URL.canParse(location, base)) {
    throw new KubeletError(`failed to parse Location header ${goQuote(location)}`, { code: 'invalid-argument' });
  }
  const to = new URL(location, base);
  const host = to.hostname === noHost ? '' : to.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host !== request.host.toLowerCase()) return undefined;
  const scheme = to.protocol.slice(0, -1);
  const port = to.port === '' ? (defaultPorts[scheme] ?? 0) : Number(to.port);
  // The user's own Host header stays, unless the Location names a host.
  const relative = !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(location);
  const hostHeader = to.port === '' ? (host.includes(':') ? `[${host}]` : host) : joinHostPort(host, port);
  const headers = request.headers.filter(([name]) => name !== 'Referer' && (relative || name !== 'Host'));
  return {
    scheme,
    host: request.host,
    port,
    path: `${to.pathname}${to.search}`,
    headers: [
      ...(relative ? [] : [['Host', hostHeader] as const]),
      ...headers,
      ...(request.scheme === 'https' && scheme === 'http' ? [] : [['Referer', from] as const]),
    ],
  };
}
