import { KubeletError } from '@podwright/errors';
import type { UpgradeRequest } from '@podwright/streaming-interface';
import type { StreamingUrl } from './streaming-url.js';

/** Changes to a request before it is sent to the runtime; `without` has names in lower case. */
export interface HeaderChanges {
  readonly method?: string;
  readonly without?: readonly string[];
  readonly add?: readonly (readonly [name: string, value: string])[];
}

// Framing headers are written anew, credentials are for the kubelet only, and Expect would get an answer before the
// upgrade.
const neverReplayed = new Set(['host', 'content-length', 'transfer-encoding', 'trailer', 'expect', 'authorization']);
const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const breaksHeader = /[\0\r\n]/;

/**
 * Builds the request head for the runtime: the client's method and headers, the runtime's path and query, and the
 * client's address appended to `X-Forwarded-For`. Throws `invalid-argument` for a request with a body or with ambiguous
 * headers.
 * Source: kubernetes v1.36 apimachinery/pkg/util/proxy/upgradeaware.go, net/http Request.Write.
 */
export function replayedRequest(request: UpgradeRequest, url: StreamingUrl, changes: HeaderChanges = {}): Buffer {
  const headers = headerPairs(request.rawHeaders);
  refuseBody(headers);
  const method = changes.method ?? request.method;
  if (!token.test(method)) throw refusal(`invalid method ${JSON.stringify(method)}`);
  const dropped = new Set([...neverReplayed, 'x-forwarded-for', ...(changes.without ?? [])]);
  const host = headers.find(({ key }) => key === 'host')?.value ?? url.authority;
  const forwardedFor = headers.filter(({ key }) => key === 'x-forwarded-for').map(({ value }) => value);
  const lines = [
    `${method} ${url.target} HTTP/1.1`,
    `Host: ${host}`,
    ...headers.filter(({ key }) => !dropped.has(key)).map(({ name, value }) => `${name}: ${value}`),
    ...(changes.add ?? []).map(([name, value]) => `${name}: ${value}`),
    `X-Forwarded-For: ${[...forwardedFor, request.remoteAddress].join(', ')}`,
    ...(method === 'GET' ? [] : ['Content-Length: 0']),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** First value of a header, as Go's Header.Get; empty when it is absent. `name` in lower case. */
export function headerOf(rawHeaders: readonly string[], name: string): string {
  return headerPairs(rawHeaders).find(({ key }) => key === name)?.value ?? '';
}

/** All values of a header that is a list, such as `Sec-WebSocket-Protocol`. `name` in lower case. */
export function headerList(rawHeaders: readonly string[], name: string): readonly string[] {
  const values = headerPairs(rawHeaders).filter(({ key }) => key === name);
  return values.flatMap(({ value }) => value.split(',').map((item) => item.trim())).filter((item) => item !== '');
}

interface Header {
  readonly key: string;
  readonly name: string;
  readonly value: string;
}

function headerPairs(rawHeaders: readonly string[]): readonly Header[] {
  const headers: Header[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const value = rawHeaders[at + 1] ?? '';
    if (!token.test(name) || breaksHeader.test(value)) throw refusal(`invalid header ${JSON.stringify(name)}`);
    headers.push({ key: name.toLowerCase(), name, value });
  }
  return headers;
}

// The runtime could take the body for the first bytes of the new protocol.
function refuseBody(headers: readonly Header[]): void {
  const framed = headers.some(
    ({ key, value }) => key === 'transfer-encoding' || (key === 'content-length' && value.trim() !== '0'),
  );
  if (framed) throw refusal('a request that changes the protocol must not have a body');
}

const refusal = (message: string): KubeletError => new KubeletError(message, { code: 'invalid-argument' });
