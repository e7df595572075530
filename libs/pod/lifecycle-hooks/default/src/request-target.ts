import { KubeletError } from '@podwright/errors';
import type { Container, LifecycleHandler } from '@podwright/kube-types';

type HttpGetAction = NonNullable<LifecycleHandler['httpGet']>;

/** Where one request goes; `path` as it stands in the request line. */
export interface RequestTarget {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** Source: kubernetes v1.36 pkg/probe/http/request.go GetProbeUrl. Throws `invalid-argument` for a port that is none. */
export function requestTarget(action: HttpGetAction, container: Container, host: string): RequestTarget {
  return {
    scheme: action.scheme?.toLowerCase() === 'https' ? 'https' : 'http',
    host,
    port: portOf(action.port, container),
    path: requestPath(action.path ?? ''),
  };
}

/** `host:port`, with brackets around an IPv6 address. */
export function authorityOf({ host, port }: Pick<RequestTarget, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

export function urlOf(target: RequestTarget): string {
  return `${target.scheme}://${authorityOf(target)}${target.path}`;
}

/** The name of a port of the container, else a number. Source: pkg/probe/util.go ResolveContainerPort. */
function portOf(port: HttpGetAction['port'], container: Container): number {
  const named = typeof port === 'string' ? container.ports?.find(({ name }) => name === port) : undefined;
  const number = named?.containerPort ?? (typeof port === 'string' ? parseNumber(port) : port);
  if (number > 0 && number < 65536) return number;
  throw new KubeletError(`invalid port number: ${number}`, { code: 'invalid-argument' });
}

function parseNumber(text: string): number {
  if (/^[+-]?\d{1,15}$/.test(text)) return Number(text);
  throw new KubeletError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`, { code: 'invalid-argument' });
}

/** A path may carry a query; what must not stand in a request line is escaped, and a fragment stays at home. */
function requestPath(path: string): string {
  const [withoutFragment = ''] = path.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split('#', 1);
  const escaped = withoutFragment.replace(/[^!$%&'()*+,\-./0-9:;=?@A-Z_a-z~[\]]/gu, encodeURIComponent);
  return escaped.startsWith('/') ? escaped : `/${escaped}`;
}
