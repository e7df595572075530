import { goQuote, type Container } from '@podwright/kube-types';
import { containerPort } from './container-port.js';
import { joinHostPort } from './host-port.js';
import type { HttpGetAction } from './http-get-action.js';
import { requestHeaders, type RequestHeaders } from './request-headers.js';
import { requestPath } from './request-path.js';

/** One GET request. `scheme` is in lower case, `host` an address without brackets, `path` what stands in the request line. */
export interface HttpGetRequest {
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Complete: no client has to add any, not even Host. */
  readonly headers: RequestHeaders;
}

/** Who asks, as upstream names it to the server. */
export type RequestPurpose = 'probe' | 'lifecycle';

/** `kube-probe/1.36`: the release that this kubelet stands in for, as servers see it. */
export function kubeUserAgent(purpose: RequestPurpose): string {
  return `kube-${purpose}/1.36`;
}

/**
 * The first request of an action to `host`, which is the action's own or that of the pod. Throws `invalid-argument` for a
 * port that is none. Source: kubernetes v1.36 pkg/probe/http/request.go NewRequestForHTTPGetAction.
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

/** Where a request goes: `http://[fd00::1]:80/healthz`. */
export function requestUrl({ scheme, host, port, path }: Omit<HttpGetRequest, 'headers'>): string {
  return `${scheme}://${joinHostPort(host, port)}${path}`;
}

/** A request that failed, as Go's client tells it: `Get "http://10.0.0.1:80/": <reason>`. */
export function requestFailure(request: Omit<HttpGetRequest, 'headers'>, reason: string): string {
  return `Get ${goQuote(requestUrl(request))}: ${reason}`;
}
