import type { HttpGetAction } from './http-get-action.js';

/** In the order in which they are sent, names in Go's spelling (`X-Frame`); a name may come again. */
export type RequestHeaders = readonly (readonly [name: string, value: string])[];

// Written from the request itself; a GET has no body that the others could describe.
const own: ReadonlySet<string> = new Set(['Host', 'User-Agent', 'Content-Length', 'Transfer-Encoding', 'Trailer']);

/**
 * The headers that were given, with upstream's own where none is given. An empty User-Agent or Accept is sent not at all,
 * an empty Host counts for nothing; of several Hosts or User-Agents the first counts.
 * Source: kubernetes v1.36 pkg/probe/http/request.go newProbeRequest, Go net/http request.go write.
 */
export function requestHeaders(
  httpHeaders: HttpGetAction['httpHeaders'],
  { authority, userAgent }: { readonly authority: string; readonly userAgent: string },
): RequestHeaders {
  const given = (httpHeaders ?? []).map(({ name, value }) => [canonicalName(name), value] as const);
  const first = (name: string): string | undefined => given.find(([known]) => known === name)?.[1];
  const sender = first('User-Agent') ?? userAgent;
  const accept = first('Accept');
  return [
    ['Host', first('Host') || authority],
    ...(sender === '' ? [] : [['User-Agent', sender] as const]),
    ...given.filter(([name]) => !own.has(name) && !(name === 'Accept' && accept === '')),
    ...(accept === undefined ? [['Accept', '*/*'] as const] : []),
  ];
}

/** `x-my-header` as `X-My-Header`, which is how Go puts it on the wire. */
function canonicalName(name: string): string {
  return name.toLowerCase().replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
