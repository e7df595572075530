import type { LifecycleHandler } from '@podwright/kube-types';

type HttpHeaders = NonNullable<LifecycleHandler['httpGet']>['httpHeaders'];

/** Names as they are sent, each with its values. */
export type RequestHeaders = Readonly<Record<string, readonly string[]>>;

/** The release that this kubelet stands in for, as servers behind hooks see it. */
const userAgent = 'kube-lifecycle/1.36';

/**
 * The headers of a hook: those given, with upstream's own where none is given. An empty User-Agent or Accept is sent
 * not at all. Source: kubernetes v1.36 pkg/probe/http/request.go newProbeRequest.
 */
export function requestHeaders(given: HttpHeaders): RequestHeaders {
  const headers: Record<string, string[]> = {};
  for (const { name, value } of given ?? []) (headers[canonicalName(name)] ??= []).push(value ?? '');
  headers['User-Agent'] ??= [userAgent];
  headers['Accept'] ??= ['*/*'];
  for (const name of ['User-Agent', 'Accept']) if (headers[name]?.[0] === '') delete headers[name];
  // A request has one target and one sender, whatever is given.
  for (const name of ['Host', 'User-Agent']) headers[name] = headers[name]?.slice(0, 1) ?? [];
  return Object.fromEntries(Object.entries(headers).filter(([, values]) => values.length > 0));
}

/** These headers without one, such as what must not go over an open line. */
export function without(headers: RequestHeaders, name: string): RequestHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
}

/** As Go writes it: `x-frame` becomes `X-Frame`. */
function canonicalName(name: string): string {
  return name.toLowerCase().replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
