import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from '@jest/globals';
import { get } from '@podwright/server-interface/contract';
import { createMemoryLogger, type MemoryLogger } from '@podwright/logging';
import { createSystemClock } from '@podwright/time';
import { text } from '@podwright/http-answer';
import { Listener, type ListenerOptions } from './listener.js';
import type { Route, ServerRequest } from '@podwright/server-interface';

const open: Listener[] = [];
afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close();
});

const everywhere = (handle: Route['handle']): readonly Route[] => [{ path: '/', methods: 'any', handle }];

async function listen(
  options: Partial<ListenerOptions> & { readonly routes?: readonly Route[] } = {},
): Promise<{ readonly address: string; readonly errors: unknown[]; readonly logger: MemoryLogger }> {
  const { routes, ...rest } = options;
  const errors: unknown[] = [];
  const logger = createMemoryLogger();
  const listener = new Listener({
    name: 'test',
    fields: 'none',
    bind: { host: '127.0.0.1', port: 0 },
    onError: (error) => errors.push(error),
    limits: { maxConnections: 10, maxPendingConnections: 10, headersTimeoutMs: 10_000 },
    requests: {
      routes: routes ?? everywhere(({ method, path, query }) => text(200, `${method} ${path} ${query.toString()}`)),
      count: () => () => undefined,
      limits: { maxRequests: 10, maxStreams: 10, answerTimeoutMs: 10_000, maxAnswerBytes: 1 << 20 },
      clock: createSystemClock(),
      logger,
    },
    ...rest,
  });
  open.push(listener);
  await listener.listen();
  return { address: listener.address(), errors, logger };
}

/** Sends bytes as they are and returns all of the answer. */
function raw(address: string, request: string): Promise<string> {
  const [host = '', port = ''] = address.split(':');
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), host, () => socket.end(request));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (answer += chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

const line = (status: string): string => `HTTP/1.1 ${status}`;

describe('Listener', () => {
  it('tells handlers the decoded path and the query', async () => {
    const { address } = await listen();
    expect((await get(address, '/p%6fds?a=1&b')).body).toBe('GET /pods a=1&b=');
  });

  it('answers HEAD without a body but with its length', async () => {
    const { address } = await listen({ routes: everywhere(() => text(200, 'körper')) });
    const { headers, body } = await get(address, '/', 'HEAD');
    expect([headers['content-length'], body]).toEqual(['7', '']);
  });

  it('drops the body of a POST and keeps the connection usable', async () => {
    const { address } = await listen();
    const answer = await raw(
      address,
      'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbodyGET /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toContain('POST /a');
    expect(answer).toContain('GET /b');
  });

  it.each([
    ['GET /%zz HTTP/1.1', '400 Bad Request'],
    ['OPTIONS * HTTP/1.1', '200 OK'],
    ['GET pods HTTP/1.1', '400 Bad Request'],
    ['GET //elsewhere/pods HTTP/1.1', 'Location: /elsewhere/pods'],
    ['GET //pods? HTTP/1.1', 'Location: /pods\r\n'],
    ['GET http://elsewhere/pods?x HTTP/1.1', 'GET /pods x='],
    ['GET http://elsewhere HTTP/1.1', 'GET / '],
    ['GET /pods?x=%zz HTTP/1.1', 'GET /pods '],
  ])('reads the target of %s', async (line, expected) => {
    const { address } = await listen();
    expect(await raw(address, `${line}\r\nHost: x\r\nConnection: close\r\n\r\n`)).toContain(expected);
  });

  const first = 'GET / HTTP/1.1\r\n';
  it.each([
    ['nonsense\r\n', '400 Bad Request', undefined],
    [first, '400 Bad Request: missing required Host header', undefined],
    [`${first}Host: a\r\nHost: b\r\n`, '400 Bad Request', undefined],
    [`${first}Host: a b\r\n`, '400 Bad Request: malformed Host header', undefined],
    [`${first}Host: a\r\nFoo bar: 1\r\n`, '400 Bad Request: invalid header name', undefined],
    [`${first}Host: a\r\nFoo: \u0001\r\n`, '400 Bad Request', undefined],
    [`${first}Host: a\r\nContent-Length: abc\r\n`, '400 Bad Request', undefined],
    [`${first}Host: a\r\nTransfer-Encoding: gzip\r\n`, '501 Not Implemented', 'Unsupported transfer encoding'],
    [`${first}Host: a\r\nTransfer-Encoding: gzip, chunked\r\n`, '501 Not Implemented', 'Unsupported transfer encoding'],
    ['GET /\r\n', '400 Bad Request', undefined],
    ['GET / HTTP/2.0\r\nHost: a\r\n', '505 HTTP Version Not Supported: unsupported protocol version', undefined],
    ['GET / HTTP/3.0\r\nHost: a\r\n', '505 HTTP Version Not Supported: unsupported protocol version', undefined],
  ])('answers %j as Go does: %s', async (request, line, text) => {
    const { address } = await listen();
    const [head = '', body] = (await raw(address, `${request}\r\n`)).split('\r\n\r\n');
    expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${line}`);
    expect(head).toContain('\r\nContent-Type: text/plain; charset=utf-8\r\n');
    expect(head).toContain('\r\nConnection: close');
    expect(body).toBe(text ?? line);
    expect((await get(address, '/')).status).toBe(200);
  });

  it('answers the requests before a malformed one', async () => {
    const { address } = await listen();
    const asked = (more: string): string => `GET /a HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    const statuses = async (request: string): Promise<readonly string[]> =>
      (await raw(address, request)).match(/HTTP\/1\.1 \d+/g) ?? [];
    expect(await statuses(`${asked('')}${asked('')}nonsense\r\n\r\n`)).toEqual(['200', '200', '400'].map(line));
    expect(await statuses(`${asked('Connection: close\r\n')}nonsense\r\n\r\n`)).toEqual(['200'].map(line));
  });

  it('speaks of a connection only when it ends', async () => {
    const { address } = await listen();
    const asked = (more: string): string => `GET /a HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    const [first = '', second = ''] = (await raw(address, asked('') + asked('Connection: close\r\n'))).split('GET /a');
    expect(first).not.toMatch(/^(connection|keep-alive):/im);
    expect(second).toContain('Connection: close');
  });

  it('asks for the body of a client that waits for that when somebody reads it', async () => {
    const routes = [
      { path: '/', methods: ['GET'], handle: () => text(200, 'no body') },
      {
        path: '/body',
        methods: ['POST'],
        handle: async ({ body }: ServerRequest) => text(200, String(await body(9))),
      },
    ] as const;
    const { address } = await listen({ routes });
    const rest = 'HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc';
    const unread = await raw(address, `GET / ${rest.replace('Connection: close\r\n', '')}`);
    expect(unread).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(unread).toContain('\r\nConnection: close\r\n');
    expect(await raw(address, `GET / ${rest.replace('100-continue', 'more')}`)).toMatch(
      /^HTTP\/1\.1 417 Expectation Failed\r\nConnection: close\r\n/,
    );
    expect(await raw(address, `POST /body ${rest}`)).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK[^]*abc$/,
    );
    // The connection stays, and nobody asks for an empty body.
    const empty = rest.replace('Content-Length: 3', 'Content-Length: 0').replace('abc', '');
    const both = `POST /body ${rest.replace('Connection: close\r\n', '')}POST /body ${empty}`;
    expect((await raw(address, both)).match(/HTTP\/1\.1 \d+/g)).toEqual(['100', '200', '200'].map(line));
  });

  it('hides the reason of a failure and tells it to its owner', async () => {
    const failure = new TypeError('secret');
    const { address, logger } = await listen({ routes: everywhere(() => Promise.reject(failure)) });
    expect(await get(address, '/')).toMatchObject({ status: 500, body: 'Internal Server Error\n' });
    expect(logger.entries.filter(({ severity }) => severity === 'error')).toEqual([
      expect.objectContaining({ message: 'Request failed', fields: { error: failure, path: '/' } }),
    ]);
  });

  const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'));
  (hasIpv6 ? it : it.skip)('shows IPv6 addresses in brackets', async () => {
    const { address } = await listen({ bind: { host: '::1', port: 0 } });
    expect(address).toMatch(/^\[::1\]:\d+$/);
  });
});
