import type { Container, Probe } from '@podwright/kube-types';
import { containerPort } from './container-port.js';
import { joinHostPort } from './go-network-errors.js';

export type HttpGetAction = NonNullable<Probe['httpGet']>;

/** What the request of a probe says in its User-Agent header, and gRPC probes in theirs. */
export const probeUserAgent = 'kube-probe/1.36';

/** One GET request. `path` is what stands in the request line; header names are in Go's spelling. */
export interface HttpRequest {
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export function urlOf({ scheme, host, port, path }: HttpRequest): string {
  return `${scheme}://${joinHostPort(host, port)}${path}`;
}

/**
 * The first request of a probe. Throws `invalid-argument` for a port that is none.
 * Source: kubernetes v1.36 pkg/probe/http/request.go.
 */
export function probeRequest(action: HttpGetAction, container: Container, host: string): HttpRequest {
  const port = containerPort(action.port, container);
  const given = (action.httpHeaders ?? []).map(({ name, value }) => [canonicalName(name), value] as const);
  const first = (name: string): string | undefined => given.find(([known]) => known === name)?.[1];
  const userAgent = first('User-Agent') ?? probeUserAgent;
  return {
    scheme: action.scheme?.toLowerCase() || 'http',
    host,
    port,
    path: requestPath(action.path ?? ''),
    headers: [
      ['Host', first('Host') || joinHostPort(host, port)],
      ...(userAgent === '' ? [] : [['User-Agent', userAgent] as const]),
      ...given.filter(([name]) => !own.has(name) && !(name === 'Accept' && first('Accept') === '')),
      ...(first('Accept') === undefined ? [['Accept', '*/*'] as const] : []),
      ...(first('Connection') === undefined ? [['Connection', 'close'] as const] : []),
    ],
  };
}

// Written by the client itself; a GET has no body that they could describe.
const own: ReadonlySet<string> = new Set(['Host', 'User-Agent', 'Content-Length', 'Transfer-Encoding', 'Trailer']);

/** `x-my-header` as `X-My-Header`, which is how Go puts it on the wire. */
function canonicalName(name: string): string {
  return name.toLowerCase().replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/**
 * A path may carry a query, even a scheme and a host, which count for nothing; a fragment stays at home, and what must not
 * stand in a request line is escaped. A path that Go cannot parse is escaped as a whole.
 */
function requestPath(path: string): string {
  const parsed = goParses(path);
  const wanted = parsed ? (path.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '').split('#', 1)[0] ?? '') : path;
  const keep = parsed ? /[^!$%&'()*+,\-./0-9:;=?@A-Z_a-z~[\]]+/gu : /[^!$&'()*+,\-./0-9:;=@A-Z_a-z~]+/gu;
  const escaped = wanted.replace(keep, (text) => encodeURIComponent(Buffer.from(text).toString()));
  return escaped.startsWith('/') ? escaped : `/${escaped}`;
}

function goParses(path: string): boolean {
  if (/[\u0000-\u001f\u007f]/.test(path)) return false;
  return !/%(?![0-9a-f]{2})/i.test(path.split('?', 1)[0] ?? '');
}
