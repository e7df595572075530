import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { HttpGetAction } from '@podwright/http-action';
import type { Container } from '@podwright/kube-types';
import { createMetricsRegistry } from '@podwright/metrics';
import type { ProbeOutcome } from '@podwright/probe-interface';
import { createSystemClock } from '@podwright/time';
import { listenOnLoopback, loopbackTarget, type LoopbackServer } from '../fixtures/loopback.js';
import { selfSigned } from '../fixtures/self-signed.js';
import { createProbers } from './network-probers.js';

const probers = createProbers({
  runtime: { execSync: () => Promise.reject(new Error('not asked for')) },
  clock: createSystemClock(),
  metrics: createMetricsRegistry(),
});
const servers: LoopbackServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function listen(server: Parameters<typeof listenOnLoopback>[0]): Promise<number> {
  const listening = await listenOnLoopback(server);
  servers.push(listening);
  return listening.port;
}
const http = (listener: RequestListener): Promise<number> => listen(createHttpServer(listener));
/** A server that says these bytes, whatever it is asked, and closes unless it is to keep quiet. */
const saying = (bytes: string, quiet = false): Promise<number> =>
  listen(
    createServer((socket: Socket) => socket.once('data', () => (quiet ? socket.write(bytes) : socket.end(bytes)))),
  );
const brokenBy = (what: string): string => `net/http: HTTP/1.x transport connection broken: ${what}`;
const broken = (what: string): string => brokenBy(`malformed HTTP ${what}`);
const header = (what: string): string => brokenBy(`malformed MIME header${what}`);
const ask = (
  port: number | string,
  action: Partial<HttpGetAction> = {},
  container: Partial<Container> = {},
  timeoutMs = 1000,
): Promise<ProbeOutcome> =>
  probers.httpGet.probe(
    { port, ...action },
    { ...loopbackTarget, container: { ...loopbackTarget.container, ...container } },
    timeoutMs,
    new AbortController().signal,
  );

describe('httpGet: the request', () => {
  async function seen(action: Partial<HttpGetAction>): Promise<Pick<IncomingMessage, 'rawHeaders' | 'url' | 'method'>> {
    let request: IncomingMessage | undefined;
    const port = await http((message, response) => {
      request = message;
      response.end();
    });
    expect(await ask(port, action)).toMatchObject({ result: 'success' });
    const { url, method, rawHeaders } = request as IncomingMessage;
    return { url, method, rawHeaders: rawHeaders.map((text) => text.replace(`:${port}`, ':PORT')) };
  }

  it('is a GET as upstream sends it', async () => {
    expect(await seen({ path: '/healthz?full=1#part' })).toEqual({
      url: '/healthz?full=1',
      method: 'GET',
      rawHeaders: ['Host', '127.0.0.1:PORT', 'User-Agent', 'kube-probe/1.36', 'Accept', '*/*', 'Connection', 'close'],
    });
  });

  it.each([
    [
      'its own ones',
      [
        ['x-one', '1'],
        ['X-One', '2'],
      ],
      ['Accept', '*/*', 'X-One', '1', 'X-One', '2'],
    ],
    ['another Accept', [['accept', 'text/plain']], ['Accept', 'text/plain']],
    ['an empty Accept, which removes it', [['Accept', '']], []],
    ['another User-Agent', [['user-agent', 'me']], ['Accept', '*/*'], 'me'],
    [
      'no word about a body that it has not',
      [
        ['Content-Length', '5'],
        ['Transfer-Encoding', 'chunked'],
      ],
      ['Accept', '*/*'],
    ],
  ] as [string, [string, string][], string[], string?][])(
    'has headers: %s',
    async (_name, given, expected, agent = 'kube-probe/1.36') => {
      const { rawHeaders } = await seen({ httpHeaders: given.map(([name, value]) => ({ name, value })) });
      expect(rawHeaders).toEqual([
        ...['Host', '127.0.0.1:PORT', 'User-Agent', agent],
        ...expected,
        ...['Connection', 'close'],
      ]);
    },
  );

  it.each([
    ['an empty User-Agent removes it', 'User-Agent', '', ['Host', '127.0.0.1:PORT']],
    [
      'Host sets the host that is asked for',
      'Host',
      'shop.test',
      ['Host', 'shop.test', 'User-Agent', 'kube-probe/1.36'],
    ],
    ['an empty Host changes nothing', 'Host', '', ['Host', '127.0.0.1:PORT', 'User-Agent', 'kube-probe/1.36']],
  ])('%s', async (_name, name, value, expected) => {
    const { rawHeaders } = await seen({ httpHeaders: [{ name, value }] });
    expect(rawHeaders).toEqual([...expected, 'Accept', '*/*', 'Connection', 'close']);
  });

  it.each([
    ['keep-alive', ['Connection', 'keep-alive', 'Connection', 'close']],
    ['Foo, Close', ['Connection', 'Foo, Close']],
  ])('asks the server to close the connection when the probe says %j', async (value, expected) => {
    const { rawHeaders } = await seen({ httpHeaders: [{ name: 'connection', value }] });
    expect(rawHeaders.slice(6)).toEqual(expected);
  });

  it.each([
    ['', '/'],
    ['/a b/ü?x=1 2', '/a%20b/%C3%BC?x=1%202'],
    ['/100%', '/100%25'],
    ['/a/../b', '/a/../b'],
  ])('asks for the path %j as %j', async (path, url) => {
    expect((await seen({ path })).url).toBe(url);
  });

  it('goes to the port of that name, else to the number in the text', async () => {
    const port = await http((_request, response) => response.end());
    const ports = [{ name: 'web', containerPort: port }];
    expect(await ask('web', {}, { ports })).toMatchObject({ result: 'success' });
    expect(await ask(String(port))).toMatchObject({ result: 'success' });
    await expect(ask('admin', {}, { ports })).rejects.toThrow('strconv.Atoi: parsing "admin": invalid syntax');
    await expect(ask(70_000)).rejects.toThrow('invalid port number: 70000');
  });

  it('goes to the host that the probe names, and nowhere without any', async () => {
    const port = await http((_request, response) => response.end());
    const nowhere = { ...loopbackTarget, podIp: '' };
    const { signal } = new AbortController();
    expect(await probers.httpGet.probe({ port, host: '127.0.0.1' }, nowhere, 1000, signal)).toMatchObject({
      result: 'success',
    });
    await expect(probers.httpGet.probe({ port }, nowhere, 1000, signal)).rejects.toThrow('no address');
  });

  it('refuses headers that would be a request of their own', async () => {
    const outcome = await ask(await saying(''), { httpHeaders: [{ name: 'X', value: 'a\r\nGET /admin' }] });
    expect(outcome).toMatchObject({ result: 'failure', output: expect.stringContaining('invalid header field value') });
  });
});

describe('httpGet: the answer', () => {
  it.each([
    [200, { result: 'success', output: 'body' }],
    [299, { result: 'success', output: 'body' }],
    [304, { result: 'warning', output: 'Probe terminated redirects, Response body: ' }],
    [399, { result: 'warning', output: 'Probe terminated redirects, Response body: body' }],
    [400, { result: 'failure', output: 'HTTP probe failed with statuscode: 400' }],
    [503, { result: 'failure', output: 'HTTP probe failed with statuscode: 503' }],
  ])('%i', async (status, expected) => {
    const port = await http((_request, response) => response.writeHead(status).end(status === 304 ? '' : 'body'));
    expect(await ask(port)).toEqual(expected);
  });

  it.each([
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\n\r\n', 'abcde'],
    ['an end by closing', 'HTTP/1.0 200 OK\r\n\r\nall of it', 'all of it'],
    ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok', 'ok'],
    ['a word before it', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', 'ok'],
    ['many words before it', `${'HTTP/1.1 103 Hints\r\n\r\n'.repeat(9)}HTTP/1.1 200 OK\r\n\r\nok`, 'ok'],
    ['a folded header', 'HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 2\r\n\r\nok', 'ok'],
    ['one length twice', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok', 'ok'],
    ['an encoding that HTTP/1.0 does not have', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nok', 'ok'],
    ['no reason', 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', ''],
  ])('is understood with %s', async (_name, bytes, output) => {
    expect(await ask(await saying(bytes))).toEqual({ result: 'success', output });
  });

  it('is read up to 10240 bytes, however long it goes on', async () => {
    const port = await http(function (_request, response) {
      response.write('x'.repeat(20_000));
    });
    expect(await ask(port)).toEqual({ result: 'success', output: 'x'.repeat(10_240) });
  });

  it.each([
    ['nothing', '', 'EOF'],
    ['half a head', 'HTTP/1.1 200 OK\r\nA: b', 'unexpected EOF'],
    ['another protocol', 'SSH-2.0-x\r\n', broken('response "SSH-2.0-x"')],
    ['a sentence', 'not http at all\r\n', broken('status code "http"')],
    ['a status of letters', 'HTTP/1.1 abc', broken('status code "abc"')],
    ['another version', 'HTTP/one 200 OK\r\n', broken('version "HTTP/one"')],
    ['a header without a colon', 'HTTP/1.1 200 OK\r\nno\r\n\r\n', header(': missing colon: "no"')],
    ['half a header without a colon', 'HTTP/1.1 200 OK\r\nConte', header(': missing colon: "Conte"')],
    ['a header with a control character', 'HTTP/1.1 200 OK\r\nA: b\x01\r\n\r\n', header(' line: "A: b\\x01"')],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: b\r\n\r\n', header(' line: ": b"')],
    ['a blank first', 'HTTP/1.1 200 OK\r\n A: b\r\n\r\n', header(' initial line: " A: b"')],
    ['a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n', brokenBy('bad Content-Length "x"')],
    ['no length', 'HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n', brokenBy('invalid empty Content-Length ""')],
    [
      'of two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok',
      brokenBy('http: message cannot contain multiple Content-Length headers; got ["2" "3"]'),
    ],
    [
      'encoded',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n',
      brokenBy('unsupported transfer encoding: "gzip"'),
    ],
  ])('is a failure when it is %s', async (_name, bytes, text) => {
    const port = await saying(bytes);
    const outcome = await ask(port);
    const prefix = `Get "http://127.0.0.1:${port}/": `;
    expect(outcome).toMatchObject({ result: 'failure', output: expect.stringContaining(prefix) });
    expect('output' in outcome && outcome.output.slice(prefix.length)).toEqual(text);
  });

  it.each([
    ['stops short', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', 'unexpected EOF'],
    ['has no size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'invalid byte in chunk length'],
  ])('is an error when the body %s', async (_name, bytes, error) => {
    expect(await ask(await saying(bytes))).toEqual({ result: 'failure', error });
  });

  it('may have a status below 100, which is no good one', async () => {
    const outcome = await ask(await saying('HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n'));
    expect(outcome).toEqual({ result: 'failure', output: 'HTTP probe failed with statuscode: 99' });
  });

  it.each(['', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(5000)])('has a limit for its head', async (before) => {
    const outcome = await ask(await saying(`${before}HTTP/1.1 200 OK\r\nA: ${'x'.repeat(100_000)}`, true));
    expect(outcome).toMatchObject({ output: expect.stringContaining('response headers exceeded') });
  });
});

describe('httpGet: no answer', () => {
  it('says that the connection is refused', async () => {
    const port = await saying('');
    await servers.pop()?.close();
    expect(await ask(port)).toEqual({
      result: 'failure',
      output: `Get "http://127.0.0.1:${port}/": dial tcp 127.0.0.1:${port}: connect: connection refused`,
    });
  });

  it('says that the connection was reset', async () => {
    const port = await listen(createServer((socket) => socket.once('data', () => socket.resetAndDestroy())));
    expect(await ask(port)).toMatchObject({
      output: expect.stringMatching(/: read tcp 127\.0\.0\.1:\d+->127\.0\.0\.1:\d+: read: connection reset by peer$/),
    });
  });

  it('is over after the time limit, which covers the body too', async () => {
    const silent = await listen(createServer());
    expect(await ask(silent, {}, {}, 120)).toEqual({
      result: 'failure',
      output: `Get "http://127.0.0.1:${silent}/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    });
    const slow = await saying('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', true);
    expect(await ask(slow, {}, {}, 120)).toEqual({
      result: 'failure',
      error: 'context deadline exceeded (Client.Timeout or context cancellation while reading body)',
    });
  });

  it('ends with the signal, and the connection with it', async () => {
    const stopped = new AbortController();
    const server = createServer();
    const closed = new Promise<void>((resolve) => {
      server.once('connection', (socket: Socket) => {
        socket.once('close', () => resolve());
        socket.resume();
        stopped.abort();
      });
    });
    const port = await listen(server);
    const asked = probers.httpGet.probe({ port }, loopbackTarget, 60_000, stopped.signal);
    await closed;
    expect(await asked).toMatchObject({ result: 'failure' });
  });
});

describe('httpGet: redirects', () => {
  const redirect = (to: (url: string, port: number) => string | undefined): Promise<number> =>
    http((request, response) => {
      const { url = '', socket } = request;
      const location = to(url, socket.localPort ?? 0);
      if (location === undefined) response.end(`${url} ${request.headers.host} ${request.headers.referer}`);
      else response.writeHead(302, { Location: location }).end('moved');
    });

  it('are followed to the same host, with a Referer', async () => {
    const port = await redirect((url, own) => ({ '/': '/a?b', '/a?b': `http://127.0.0.1:${own}/c` })[url]);
    expect(await ask(port)).toEqual({
      result: 'success',
      output: `/c 127.0.0.1:${port} http://127.0.0.1:${port}/a?b`,
    });
  });

  it('keep a Host header of the user as long as they are relative', async () => {
    const port = await redirect((url) => ({ '/': '/next' })[url]);
    const outcome = await ask(port, { httpHeaders: [{ name: 'Host', value: 'shop.test' }] });
    expect(outcome).toMatchObject({ output: expect.stringContaining('/next shop.test') });
  });

  it('to another host are a success with a warning', async () => {
    const port = await redirect((_url, own) => `http://localhost:${own}/`);
    expect(await ask(port)).toEqual({ result: 'warning', output: 'Probe terminated redirects, Response body: moved' });
  });

  it('end after ten', async () => {
    const port = await redirect((url) => `/${Number(url.slice(1)) + 1}`);
    expect(await ask(port)).toEqual({
      result: 'failure',
      output: 'Get "/10": stopped after 10 redirects',
    });
  });

  it('to what is no web are a failure', async () => {
    const port = await redirect(() => 'ftp://127.0.0.1/');
    expect(await ask(port)).toMatchObject({ output: expect.stringContaining('unsupported protocol scheme "ftp"') });
  });
});

describe('httpGet with TLS', () => {
  it('takes any certificate', async () => {
    const port = await listen(createHttpsServer(selfSigned, (_request, response) => response.end('secret')));
    expect(await ask(port, { scheme: 'HTTPS' })).toEqual({ result: 'success', output: 'secret' });
  });

  it('says why the server refuses the handshake, which offers no more than Go', async () => {
    const options = {
      ...selfSigned,
      maxVersion: 'TLSv1.2',
      ciphers: 'ECDHE-ECDSA-AES256-SHA384:AES256-GCM-SHA384',
    } as const;
    const port = await listen(createHttpsServer(options, (_request, response) => response.end()));
    expect(await ask(port, { scheme: 'HTTPS' })).toEqual({
      result: 'failure',
      output: `Get "https://127.0.0.1:${port}/": remote error: tls: handshake failure`,
    });
  });

  it('names a server that speaks plain HTTP', async () => {
    const port = await http((_request, response) => response.end());
    expect(await ask(port, { scheme: 'HTTPS' })).toEqual({
      result: 'failure',
      output: `Get "https://127.0.0.1:${port}/": http: server gave HTTP response to HTTPS client`,
    });
  });
});
