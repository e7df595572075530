import { goQuote, type Container } from '@podwright/kube-types';
import { containerPort } from './container-port.js';
import { joinHostPort } from './host-port.js';
import type { HttpGetAction } from './http-get-action.js';
import { requestHeaders, type RequestHeaders } from './request-headers.js';
import { requestPath } from './request-path.js';

/** One GET request. `scheme` is in lower case, `host` has no brackets, `path` is the target in the request line. */
export interface HttpGetRequest {
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** All headers, including Host: the client must not add any. */
  readonly headers: RequestHeaders;
}

/** What the request is for, as the User-Agent header shows it. */
export type RequestPurpose = 'probe' | 'lifecycle';

/** The User-Agent of probes or hooks: `kube-probe/1.36`, with the Kubernetes release that this kubelet implements. */
export function kubeUserAgent(purpose: RequestPurpose): string {
  return `kube-${purpose}/1.36`;
}

/**
 * The request of an `httpGet` action, before redirects. `host` is the action's host or the pod's address. Throws
 * `invalid-argument` for an invalid port. Source: kubernetes v1.36 pkg/probe/http/request.go
 * NewRequestForHTTPGetAction.
 */
export function httpGetRequest(
  action: HttpGetAction,
  container: Pick<Container, 'ports'>,
  host: string,
  purpose: RequestPurpose,
): HttpGetRequest {
  const port = containerPort(action.port, container);
  const authority = joinHostPort(host, port);
  return {
    scheme: action.scheme?.toLowerCase() || 'http',
    host,
    port,
    path: requestPath(action.path ?? ''),
    headers: requestHeaders(action.httpHeaders, { authority, userAgent: kubeUserAgent(purpose) }),
  };
}

/** The URL of a request: `http://[fd00::1]:80/healthz`. */
export function requestUrl({ scheme, host, port, path }: Omit<HttpGetRequest, 'headers'>): string {
  return `${scheme}://${joinHostPort(host, port)}${path}`;
}

/** A failed request in the words of Go's client: `Get "http://10.0.0.1:80/": <reason>`. */
export function requestFailure(request: Omit<HttpGetRequest, 'headers'>, reason: string): string {
  return `Get ${goQuote(requestUrl(request))}: ${reason}`;
}
