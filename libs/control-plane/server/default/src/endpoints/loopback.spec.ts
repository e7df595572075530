import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ContainerLogRequest } from '@podwright/container-logs-interface';
import { KubeletError } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import { createMetricsRegistry } from '@podwright/metrics';
import type { KubeletServer } from '@podwright/server-interface';
import type { StreamSession, UpgradeRequest } from '@podwright/streaming-interface';
import { createSystemClock, yieldToEventLoop } from '@podwright/time';
import { endpointsDeps } from '../fixtures/endpoints-deps.js';
import { TestAuth } from '../fixtures/test-auth.js';
import { createHttpServer } from '../http-server.js';

const pod: Pod = {
  metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
  spec: { containers: [{ name: 'app' }] },
};
const size = 8 * 1024 * 1024;

describe('the endpoints behind a real listener', () => {
  let root = '';
  let server: KubeletServer;
  let port = 0;
  const followed: ContainerLogRequest[] = [];
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
    const containerLogs = {
      open: async (asked: ContainerLogRequest) => {
        followed.push(asked);
        return (async function* () {
          yield Buffer.from('first\n');
          await once(asked.signal, 'abort');
          logEnds.forEach((ended) => ended());
        })();
      },
    };
    const serve = async (_session: StreamSession, { socket, head }: UpgradeRequest): Promise<void> => {
      if (failure !== undefined) throw failure;
      socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\n${Buffer.from(head).toString()}`);
    };
    const streaming = { serve, run: async () => Buffer.from('ran') };
    const deps = { ...endpointsDeps({ pods: () => [pod] }), clock: createSystemClock(), metrics };
    server = createHttpServer(
      { ...deps, auth, containerLogs, streaming },
      { address: '127.0.0.1', port: 0, healthzPort: 0, nodeLogDir: root },
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
  const settled = async (isDone: () => Promise<boolean> | boolean): Promise<boolean> => {
    const clock = createSystemClock();
    const latest = clock.monotonic() + 4_000;
    while (!(await isDone()) && clock.monotonic() < latest) await yieldToEventLoop();
    return isDone();
  };

  it('sends a large file whole, and a part of it, and lets it go', async () => {
    const whole = await get('/logs/big.log');
    expect(whole.headers['content-length']).toBe(String(size));
    expect((await bytesOf(whole)).length).toBe(size);
    const part = await get('/logs/big.log', { range: 'bytes=-10' });
    expect([part.statusCode, (await bytesOf(part)).toString()]).toEqual([206, 'xxxxxxxxxx']);
    expect(await settled(async () => (await openFiles()) === 0)).toBe(true);
  });

  it('lets a file go whose reader has gone', async () => {
    const response = await get('/logs/big.log');
    expect(await openFiles()).toBeGreaterThan(0);
    response.destroy();
    expect(await settled(async () => (await openFiles()) === 0)).toBe(true);
  });

  it('tells a log that its reader has gone', async () => {
    const ended = new Promise<void>((resolve) => void logEnds.push(resolve));
    const response = await get('/containerLogs/shop/web/app?follow=true');
    const [first] = (await once(response, 'data')) as [Buffer];
    expect([response.headers['transfer-encoding'], first.toString()]).toEqual(['chunked', 'first\n']);
    expect(followed.at(-1)?.signal.aborted).toBe(false);
    response.destroy();
    await ended;
    expect(followed.at(-1)?.signal.aborted).toBe(true);
  });

  it('compresses metrics', async () => {
    const response = await get('/metrics', { 'accept-encoding': 'gzip' });
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(await bytesOf(response)).toString()).toContain('\nhere 1\n');
  });

  it.each([
    ['POST', '/run/shop/web/app?cmd=true', 200, 'ran'],
    ['GET', '/exec/shop/web/app?output=1', 500, 'Upgrade request required\n'],
    ['GET', '/debug/pprof/mutex', 404, 'Unknown profile\n'],
    ['GET', '/logs/none', 404, '404 page not found\n'],
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
    expect(await upgrade('/exec/shop/web/app?output=1', 'early')).toBe('HTTP/1.1 101 Switching Protocols\r\n\r\nearly');
  });

  it.each([
    ['/exec/shop/none/app?output=1', undefined, /^HTTP\/1\.1 404 [^]*\r\n\r\npod does not exist$/],
    [
      '/exec/shop/web/app',
      undefined,
      /^HTTP\/1\.1 400 [^]*\r\n\r\nyou must specify at least 1 of stdin, stdout, stderr$/,
    ],
    [
      '/portForward/shop/web',
      new KubeletError('full', { code: 'resource-exhausted' }),
      /^HTTP\/1\.1 429 [^]*Retry-After: 60\r\n[^]*\r\n\r\nfull$/,
    ],
  ])('answers %s on the connection that wanted another protocol', async (url, error, answer) => {
    failure = error;
    expect(await upgrade(url)).toMatch(answer);
  });
});
