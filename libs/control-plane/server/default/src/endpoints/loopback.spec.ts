import { once } from 'node:events';
import { mkdtemp, open, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { text } from '@podwright/http-answer';
import { createMetricsRegistry } from '@podwright/metrics';
import type { KubeletServer, ServerRoute } from '@podwright/server-interface';
import { createSystemClock, eventually } from '@podwright/time';
import { endpointsDeps } from '../fixtures/endpoints-deps.js';
import { TestAuth } from '../fixtures/test-auth.js';
import { createHttpServer } from '../http-server.module.js';

const size = 8 * 1024 * 1024;

/** A route of another module, whose answer holds a file open until it is sent or nobody reads it any more. */
const fileRoute = (file: string): ServerRoute => ({
  path: '/big.log',
  methods: ['GET'],
  handle: async () => {
    const handle = await open(file);
    const headers = { 'Content-Length': String(size) };
    return { status: 200, headers, body: handle.createReadStream() as AsyncIterable<Uint8Array> };
  },
});

describe('the endpoints behind a real listener', () => {
  let root = '';
  let server: KubeletServer;
  let port = 0;
  const followed: AbortSignal[] = [];
  const logEnds: (() => void)[] = [];
  let failure: Error | undefined;

  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'loopback-'));
    await writeFile(path.join(root, 'big.log'), Buffer.alloc(size, 'x'));
    const metrics = createMetricsRegistry();
    metrics.gauge({ name: 'here', help: 'h' }).set(1);
    const auth = new TestAuth();
    auth.anonymous = true;
    auth.judge = () => true;
    const log: ServerRoute = {
      path: '/log',
      methods: ['GET'],
      handle: ({ signal }) => {
        followed.push(signal);
        const lines = async function* () {
          yield Buffer.from('first\n');
          await once(signal, 'abort');
          logEnds.forEach((ended) => ended());
        };
        return { status: 200, headers: {}, body: lines() };
      },
    };
    const shell: ServerRoute = {
      path: '/shell/{container}',
      methods: ['GET', 'POST'],
      handle: () => text(500, 'Upgrade request required'),
      upgrade: async ({ parameters: { container } }, { socket, head }) => {
        if (failure !== undefined) throw failure;
        if (container === 'none') return text(404, 'pod does not exist');
        socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\n${Buffer.from(head).toString()}`);
        return undefined;
      },
    };
    const run: ServerRoute = { path: '/run', methods: ['POST'], handle: () => text(200, 'ran') };
    const deps = { ...endpointsDeps(), clock: createSystemClock(), metrics };
    server = createHttpServer(
      { ...deps, auth, loopbackListeners: [], routes: [fileRoute(path.join(root, 'big.log')), log, shell, run] },
      { address: '127.0.0.1', port: 0, healthzPort: 0 },
    );
    await server.start();
    port = Number(server.addresses().https?.split(':').at(-1));
  });
  afterAll(async () => {
    await server.stop();
    await rm(root, { recursive: true });
  });

  async function get(
    url: string,
    headers: Readonly<Record<string, string>> = {},
    method = 'GET',
  ): Promise<IncomingMessage> {
    const sent = request({ port, host: '127.0.0.1', path: url, headers, method, agent: false });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  }
  async function bytesOf(response: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }
  const openFiles = async (): Promise<number> => {
    const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
    return (await Promise.all(links)).filter((target) => target.startsWith(root)).length;
  };

  it('sends a large file whole, and lets it go', async () => {
    const whole = await get('/big.log');
    expect(whole.headers['content-length']).toBe(String(size));
    expect((await bytesOf(whole)).length).toBe(size);
    await eventually(async () => (await openFiles()) === 0);
  });

  it('lets a file go whose reader has gone', async () => {
    const response = await get('/big.log');
    expect(await openFiles()).toBeGreaterThan(0);
    response.destroy();
    await eventually(async () => (await openFiles()) === 0);
  });

  it('tells a log that its reader has gone', async () => {
    const ended = new Promise<void>((resolve) => void logEnds.push(resolve));
    const response = await get('/log');
    const [first] = (await once(response, 'data')) as [Buffer];
    expect([response.headers['transfer-encoding'], first.toString()]).toEqual(['chunked', 'first\n']);
    expect(followed.at(-1)?.aborted).toBe(false);
    response.destroy();
    await ended;
    expect(followed.at(-1)?.aborted).toBe(true);
  });

  it('compresses metrics', async () => {
    const response = await get('/metrics', { 'accept-encoding': 'gzip' });
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(await bytesOf(response)).toString()).toContain('\nhere 1\n');
  });

  it.each([
    ['POST', '/run', 200, 'ran'],
    ['GET', '/shell/app', 500, 'Upgrade request required'],
    ['PUT', '/configz', 404, '404 page not found\n'],
  ])('%s %s: %i', async (method, url, status, body) => {
    const response = await get(url, {}, method);
    expect([response.statusCode, (await bytesOf(response)).toString()]).toEqual([status, body]);
  });

  const upgrade = async (url: string, rest = ''): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST ${url} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n${rest}`);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text;
  };

  it('hands a connection over, with the bytes that came along', async () => {
    failure = undefined;
    expect(await upgrade('/shell/app', 'early')).toBe('HTTP/1.1 101 Switching Protocols\r\n\r\nearly');
  });

  it.each([
    ['/shell/none', undefined, /^HTTP\/1\.1 404 [^]*\r\n\r\npod does not exist$/],
    [
      '/shell/app',
      new KubeletError('no streams', { code: 'invalid-argument' }),
      /^HTTP\/1\.1 400 [^]*\r\n\r\nno streams\n$/,
    ],
    [
      '/shell/app',
      new KubeletError('full', { code: 'resource-exhausted' }),
      /^HTTP\/1\.1 429 [^]*Retry-After: 60\r\n[^]*\r\n\r\nfull\n$/,
    ],
  ])('answers %s on the connection that wanted another protocol', async (url, error, answer) => {
    failure = error;
    expect(await upgrade(url)).toMatch(answer);
  });
});
