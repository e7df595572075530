import type { HttpGetAction } from './http-get-action.js';

/** Headers in sending order, with names in Go's spelling (`X-Frame`). A name may occur several times. */
export type RequestHeaders = readonly (readonly [name: string, value: string])[];

// Taken from the request itself, or (the last three) meaningless for a GET, which has no body.
const own: ReadonlySet<string> = new Set(['Host', 'User-Agent', 'Content-Length', 'Transfer-Encoding', 'Trailer']);

/**
 * The action's headers, with upstream's defaults for Host, User-Agent and Accept. An empty User-Agent or Accept is not
 * sent; an empty Host is ignored. The first of several Host or User-Agent headers counts. The others follow by name.
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
    ...[
      ...given.filter(([name]) => !own.has(name) && !(name === 'Accept' && accept === '')),
      ...(accept === undefined ? [['Accept', '*/*'] as const] : []),
    ].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)),
  ];
}

/** Go's spelling of a header name: `X-My-Header` for `x-my-header`. */
function canonicalName(name: string): string {
  return name.toLowerCase().replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
