import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { createMemoryLogger } from '@podwright/logging';
import { get } from '@podwright/server-interface/contract';
import { createSystemClock, eventually, VirtualClock, type Clock } from '@podwright/time';
import { text } from '@podwright/http-answer';
import { Listener, type ListenerOptions } from './listener.js';
import type { Route } from '@podwright/server-interface';

const routes: readonly Route[] = [
  { path: '/pods', methods: ['GET'], handle: () => text(200, 'pods') },
  {
    path: '/debug/flags/v',
    methods: 'any',
    handle: async ({ body }) => text(200, Buffer.from(await body(8)).toString()),
  },
  {
    path: '/slow',
    methods: 'any',
    handle: ({ signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(text(200, 'late')))),
  },
  { path: '/page', methods: ['GET'], handle: () => text(200, 'x'.repeat(pageBytes)) },
  { path: '/long', methods: 'any', handle: () => ({ status: 200, headers: {}, body: long() }) },
  { path: '/broken', methods: 'any', handle: () => ({ status: 200, headers: {}, body: failing() }) },
  {
    path: '/exec/{namespace}/{pod}/{container}',
    methods: ['GET', 'POST'],
    handle: () => text(500, 'Upgrade request required'),
    upgrade: async ({ parameters }, { socket, head, rawHeaders }) => {
      if (parameters['pod'] === 'none') throw new KubeletError('pod does not exist', { code: 'not-found' });
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n\r\n${Buffer.from(head).toString()} ${rawHeaders.join(' ')}`);
      socket.on('data', (chunk: Buffer) => void socket.write(chunk));
      socket.on('end', () => void socket.end('half'));
      await once(socket, 'close');
      return undefined;
    },
  },
];

// More than the kernel's buffers hold.
const pageBytes = 32 * 1024 * 1024;
const pieces = 16;
const pieceBytes = 64 * 1024;
async function* long(): AsyncGenerator<string> {
  for (let count = 0; count < pieces; count++) yield 'x'.repeat(pieceBytes);
}

async function* failing(): AsyncGenerator<string> {
  yield 'first';
  await new Promise((resolve) => setImmediate(resolve));
  throw new Error('the rest is not there');
}

const limits = { maxConnections: 20, maxPendingConnections: 10, headersTimeoutMs: 10_000 };
const open: Listener[] = [];
afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close();
});

async function listen(
  more: Partial<ListenerOptions['limits']> = {},
  clock: Clock = createSystemClock(),
): Promise<Listener> {
  const listener = new Listener({
    ...{ name: 'test', fields: 'none', bind: { host: '127.0.0.1', port: 0 }, onError: () => undefined },
    limits: { ...limits, ...more },
    requests: {
      routes,
      count: () => () => undefined,
      limits: { maxRequests: 3, maxStreams: 2, answerTimeoutMs: 60_000, maxAnswerBytes: 1 << 20 },
      clock,
      logger: createMemoryLogger(),
    },
  });
  open.push(listener);
  await listener.listen();
  return listener;
}

const portOf = (listener: Listener): number => Number(listener.address().split(':')[1]);

async function dial(listener: Listener): Promise<Socket> {
  const socket = connect({ port: portOf(listener), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** A server that ends a connection on which more has come than it has read resets it, which is an end as well. */
const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));

/** Sends bytes as they are, in one piece, and returns all that comes back. */
async function send(listener: Listener, bytes: string | Buffer): Promise<string> {
  const socket = await dial(listener);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.end(bytes);
  await closed(socket);
  return Buffer.concat(chunks).toString('latin1');
}

const request = (line: string, ...headers: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n');
const upgrade = ['Connection: Upgrade', 'Upgrade: SPDY/3.1'];
// From Node 26 on, Node itself closes when the body of an upgrade breaks off.
const brokenOff = Number.parseInt(process.versions.node, 10) >= 26 ? /^$/ : undefined;

describe('a listener among strangers', () => {
  it.each<[string, string | Buffer, RegExp]>([
    ['nothing', '', /^$/],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['a TLS hello', Buffer.from('16030100f5010000f10303', 'hex'), /^HTTP\/1\.1 400 /],
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /^HTTP\/1\.1 (400|505) /],
    ['HTTP/0.9', 'GET /pods\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['a broken escape', request('GET /%zz', 'Connection: close'), /^HTTP\/1\.1 400 /],
    ['a NUL in the target', request('GET /pods\0', 'Connection: close'), /^HTTP\/1\.1 400 /],
    ['an encoded NUL', request('GET /pods%00', 'Connection: close'), /^HTTP\/1\.1 404 /],
    ['an encoded way up', request('GET /a/%2e%2e/pods', 'Connection: close'), /^HTTP\/1\.1 404 /],
    ['an encoded slash', request('GET /exec%2Fn/p/c', 'Connection: close'), /^HTTP\/1\.1 404 /],
    ['no method', request(' /pods', 'Connection: close'), /^HTTP\/1\.1 400 /],
    ['an unknown method', request('BREW /pods', 'Connection: close'), /^HTTP\/1\.1 400 /],
    ['CONNECT', request('CONNECT 10.0.0.1:443'), /^$/],
    ['two lengths', request('GET /pods', 'Content-Length: 1', 'Content-Length: 2'), /^HTTP\/1\.1 400 /],
    ['length and chunks', request('POST /pods', 'Content-Length: 4', 'Transfer-Encoding: chunked'), /^HTTP\/1\.1 400 /],
    ['a header over two lines', request('GET /pods', 'A: b', ' c', 'Connection: close'), /^HTTP\/1\.1 400 /],
    ['a giant header', request('GET /pods', `A: ${'x'.repeat(2 ** 20)}`), /^HTTP\/1\.1 431 /],
    ['a giant target', request(`GET /${'x'.repeat(2 ** 20)}`), /^HTTP\/1\.1 431 /],
    ['a target of slashes', request(`GET /${'a/'.repeat(2 ** 18)}`, 'Connection: close'), /^HTTP\/1\.1 400 /],
    [
      'thousands of headers',
      request('GET /pods', ...Array.from({ length: 5_000 }, (_, index) => `H${index}: x`)),
      /^HTTP\/1\.1 431 /,
    ],
    [
      'a long body',
      `${request('PUT /debug/flags/v', 'Content-Length: 9', 'Connection: close')}123456789`,
      /^HTTP\/1\.1 413 /,
    ],
    [
      'an endless body',
      `${request('PUT /debug/flags/v', 'Transfer-Encoding: chunked')}9\r\n123456789\r\n`,
      /^HTTP\/1\.1 413 /,
    ],
    [
      'h2c to a path without streams',
      request('GET /pods', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'),
      /^HTTP\/1\.1 200 [^]*pods$/,
    ],
    [
      'a WebSocket to a path without streams',
      request('POST /pods', 'Connection: upgrade', 'Upgrade: websocket'),
      /^HTTP\/1\.1 405 /,
    ],
    ['an upgrade of nowhere', request('GET /nowhere', ...upgrade), /^HTTP\/1\.1 404 /],
    ['an upgrade with a malformed target', request('GET /%zz', ...upgrade), /^HTTP\/1\.1 400 /],
    [
      'an upgrade with a body for us',
      `${request('PUT /debug/flags/v', ...upgrade, 'Content-Length: 3')}abc`,
      /^HTTP\/1\.1 200 [^]*abc$/,
    ],
    [
      'an upgrade with a long body for us',
      `${request('PUT /debug/flags/v', ...upgrade, 'Content-Length: 99')}abc`,
      brokenOff ?? /^HTTP\/1\.1 413 /,
    ],
    [
      'an upgrade with half a body for us',
      `${request('PUT /debug/flags/v', ...upgrade, 'Content-Length: 8')}abc`,
      brokenOff ?? /^HTTP\/1\.1 500 /,
    ],
    ['an upgrade that fails', request('POST /exec/n/none/c', ...upgrade), /^HTTP\/1\.1 404 [^]*pod does not exist\n$/],
    ['an answer that breaks off', request('GET /broken', 'Connection: close'), /first\r\n$/],
  ])('survives %s', async (_, bytes, answer) => {
    const listener = await listen();
    expect(await send(listener, bytes)).toMatch(answer);
    expect(await get(listener.address(), '/pods')).toMatchObject({ status: 200, body: 'pods' });
  });

  it('passes on the bytes that come with an upgrade, both ways, after half of it is closed', async () => {
    const listener = await listen();
    const answer = await send(listener, `${request('POST /exec/n/p/c', ...upgrade, 'X: y')}early`);
    expect(answer).toBe(
      'HTTP/1.1 101 Switching Protocols\r\n\r\nearly Host a Connection Upgrade Upgrade SPDY/3.1 X yhalf',
    );
  });

  it('sends a long answer to whoever asked for another protocol', async () => {
    const listener = await listen();
    const answer = await send(listener, request('GET /long', ...upgrade));
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*\r\n0\r\n\r\n$/);
    expect(answer.length).toBeGreaterThan(pieces * pieceBytes);
  });

  it('has only so many streams', async () => {
    const listener = await listen();
    const streams = [await dial(listener), await dial(listener)];
    for (const stream of streams) {
      stream.write(request('POST /exec/n/p/c', ...upgrade));
      await once(stream, 'data');
    }
    expect(await send(listener, request('POST /exec/n/p/c', ...upgrade))).toMatch(/^HTTP\/1\.1 429 /);
    expect((await get(listener.address(), '/pods')).status).toBe(200);
    for (const stream of streams) stream.destroy();
  });

  it('has only so many requests under way, and forgets those whose client has gone', async () => {
    const listener = await listen();
    const waiting = await Promise.all([dial(listener), dial(listener), dial(listener)]);
    for (const socket of waiting) socket.write(request('GET /slow'));
    const status = async (): Promise<number> => (await get(listener.address(), '/pods')).status;
    await eventually(async () => (await status()) === 429);
    for (const socket of waiting) socket.destroy();
    await eventually(async () => (await status()) === 200);
  });

  it('lets slow connections drive out each other, and nobody who has a request under way', async () => {
    const listener = await listen();
    const busy = await dial(listener);
    busy.write(request('POST /exec/n/p/c', ...upgrade));
    await once(busy, 'data');
    const slow: Socket[] = [];
    for (let count = 0; count < 300; count++) {
      const socket = await dial(listener);
      socket.write('GET /pods HTTP/1.1\r\nHost:');
      slow.push(socket);
      if (count % 50 === 0) expect((await get(listener.address(), '/pods')).status).toBe(200);
    }
    await eventually(() => listener.connectionCount <= limits.maxPendingConnections + 1);
    expect(busy.destroyed).toBe(false);
    busy.write('still here');
    expect(String((await once(busy, 'data'))[0])).toBe('still here');
    for (const socket of [busy, ...slow]) socket.destroy();
    await eventually(() => listener.connectionCount === 0);
  });

  it('holds no pages for those who do not read them', async () => {
    const clock = new VirtualClock();
    const listener = await listen({}, clock);
    const slow = await dial(listener);
    slow.write(request('GET /page'));
    await once(slow, 'data');
    slow.pause();
    const refused = await send(listener, request('GET /page', 'Connection: close'));
    expect(refused.slice(0, 12)).toBe('HTTP/1.1 429');
    await clock.advance(10_000);
    const page = await send(listener, request('GET /page', 'Connection: close'));
    expect(page.slice(0, 12)).toBe('HTTP/1.1 200');
    expect(page.length).toBeGreaterThan(pageBytes);
    const gone = closed(slow);
    slow.resume().on('end', () => slow.destroy());
    await gone;
  });

  it('gives up on a head that does not come', async () => {
    const listener = await listen({ headersTimeoutMs: 50 });
    const silent = await dial(listener);
    const slow = await dial(listener);
    slow.write('GET /pods HTTP/1.1\r\nHost:');
    for (const socket of [silent, slow]) socket.resume().on('end', () => socket.destroy());
    await Promise.all([closed(silent), closed(slow)]);
    await eventually(() => listener.connectionCount === 0);
  });

  it('ends at once whatever is under way', async () => {
    const listener = await listen();
    const [stream, waiting, idle] = [await dial(listener), await dial(listener), await dial(listener)];
    stream.write(request('POST /exec/n/p/c', ...upgrade));
    waiting.write(request('GET /slow'));
    await once(stream, 'data');
    const ended = [stream, waiting, idle].map((socket) => closed(socket.resume()));
    for (const socket of [stream, waiting, idle]) socket.on('end', () => socket.destroy());
    await listener.close();
    await Promise.all(ended);
  });
});
