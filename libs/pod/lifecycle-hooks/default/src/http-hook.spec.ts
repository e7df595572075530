import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket, type Server as TcpServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import type { LifecycleHandler } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { VirtualClock } from '@podwright/time';
import { createLifecycleHooks } from './runtime-lifecycle-hooks.module.js';

type HttpGet = NonNullable<LifecycleHandler['httpGet']>;
type Answer = Parameters<typeof createServer>[1];

const pod = { metadata: { name: 'web', namespace: 'default', uid: 'u1' }, spec: { containers: [] } };
const never = new AbortController().signal;
const prefix = 'for Container "app" in Pod "web_default(u1)" failed - error:';

describe('httpGet hooks', () => {
  const open: (Server | TcpServer)[] = [];
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) {
      for (const socket of sockets.splice(0)) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    }
  });

  async function listen(server: Server | TcpServer, host = '127.0.0.1'): Promise<number> {
    open.push(server);
    server.on('connection', (socket: Socket) => void sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => void server.listen(0, host, resolve));
    return (server.address() as AddressInfo).port;
  }
  const serve = (answer: Answer): Promise<number> => listen(createServer(answer));

  async function run(httpGet: HttpGet, ports: { name: string; containerPort: number }[] = []): Promise<string> {
    const metrics = createMetricsRegistry();
    const unreachable = async (): Promise<never> => {
      throw new KubeletError('runtime is gone', { code: 'unavailable' });
    };
    const hooks = createLifecycleHooks({
      runtime: { execSync: unreachable, listPodSandbox: unreachable, podSandboxStatus: unreachable },
      recorder: { event: () => undefined },
      clock: new VirtualClock(),
      logger: createMemoryLogger(),
      metrics,
    });
    await hooks.run('postStart', pod, { name: 'app', ports, lifecycle: { postStart: { httpGet } } }, 'c1', never);
    return metrics.render();
  }

  it.each<[string, HttpGet['httpHeaders'], Record<string, string | undefined>]>([
    ['are upstream’s when none are given', undefined, { 'user-agent': 'kube-lifecycle/1.36', accept: '*/*' }],
    [
      'are those given, whatever their case',
      [
        { name: 'user-agent', value: 'me' },
        { name: 'ACCEPT', value: 'text/html' },
      ],
      { 'user-agent': 'me', accept: 'text/html' },
    ],
    [
      'may be taken away by an empty value',
      [
        { name: 'Accept', value: '' },
        { name: 'User-Agent', value: '' },
      ],
      { accept: undefined, 'user-agent': undefined },
    ],
    [
      'may come twice',
      [
        { name: 'X-A', value: '1' },
        { name: 'x-a', value: '2' },
      ],
      { 'x-a': '1, 2' },
    ],
    ['may name another host', [{ name: 'Host', value: 'example.test' }], { host: 'example.test' }],
    ['do not describe a body', [{ name: 'Content-Length', value: '5' }], { 'content-length': undefined }],
    [
      'may be in any language',
      [{ name: 'X-A', value: 'ü€' }],
      { 'x-a': Buffer.from('ü€').toString('latin1'), accept: '*/*' },
    ],
  ])('headers %s', async (_, httpHeaders, expected) => {
    const seen: Record<string, unknown>[] = [];
    const port = await serve(({ headers }, response) => {
      seen.push(headers);
      response.end();
    });
    await run({ host: '127.0.0.1', port, ...(httpHeaders !== undefined && { httpHeaders }) });
    for (const [name, value] of Object.entries(expected)) expect(seen[0]?.[name]).toBe(value);
  });

  it.each([
    [undefined, '/'],
    ['/a b?c=d e#part', '/a%20b?c=d%20e'],
    ['/%41/../x', '/%41/../x'],
    ['/100%', '/100%25'],
  ])('path %j is asked for as %s', async (path, expected) => {
    const seen: unknown[] = [];
    const port = await serve(({ url }, response) => {
      seen.push(url);
      response.end();
    });
    await run({ host: '127.0.0.1', port, ...(path !== undefined && { path }) });
    expect(seen).toEqual([expected]);
  });

  it('a port is a number, a number as text, or a name of the container', async () => {
    let count = 0;
    const port = await serve((_, response) => void response.end(String(count++)));
    await run({ host: '127.0.0.1', port });
    await run({ host: '127.0.0.1', port: String(port) });
    await run({ host: '127.0.0.1', port: 'admin' }, [{ name: 'admin', containerPort: port }]);
    expect(count).toBe(3);
  });

  it.each([
    [0, 'invalid port number: 0'],
    ['admin', 'strconv.Atoi: parsing "admin": invalid syntax'],
  ])('a port that is none (%j) fails the hook', async (port, text) => {
    await expect(run({ host: 'localhost', port, path: '/p' })).rejects.toThrow(
      `HTTP lifecycle hook (/p) ${prefix} ${text}`,
    );
  });

  it('tells when the runtime cannot say where the pod is', async () => {
    await expect(run({ port: 80 })).rejects.toThrow(
      `HTTP lifecycle hook () ${prefix} unable to get pod, event handlers may be invalid: rpc error: code = Unavailable desc = runtime is gone`,
    );
  });

  it.each([200, 204, 404, 503])('status %d is as good as any', async (status) => {
    const port = await serve((_, response) => void response.writeHead(status).end());
    await expect(run({ host: '127.0.0.1', port })).resolves.toBeDefined();
  });

  it('reaches an IPv6 host', async () => {
    const port = await listen(
      createServer((_, response) => void response.end()),
      '::1',
    );
    await expect(run({ host: '::1', port })).resolves.toBeDefined();
    await expect(run({ host: '::1', port: 1 })).rejects.toThrow(
      'Get "http://[::1]:1/": dial tcp [::1]:1: connect: connection refused',
    );
  });

  it('follows redirects within the host, ten at most, and takes another host for an answer', async () => {
    const seen: string[] = [];
    const port = await serve(({ url = '' }, response) => {
      seen.push(url);
      if (url === '/start') response.writeHead(302, { location: '/next' }).end();
      else if (url === '/away') response.writeHead(301, { location: 'http://198.51.100.1/' }).end();
      else if (url === '/round') response.writeHead(307, { location: '/round' }).end();
      else response.end();
    });
    const to = (path: string): Promise<string> => run({ host: '127.0.0.1', port, path });
    await to('/start');
    await to('/away');
    expect(seen).toEqual(['/start', '/next', '/away']);
    await expect(to('/round')).rejects.toThrow('Get "/round": stopped after 10 redirects');
    expect(seen.filter((url) => url === '/round')).toHaveLength(10);
  });

  it.each(['endless', 'announced'])('does not read more than 10 KiB of an answer that is %s', async (kind) => {
    const port = await serve((_, response) => {
      response.writeHead(200, kind === 'announced' ? { 'content-length': '1000000' } : {});
      // Never ended: the hook must not wait for it.
      response.write(Buffer.alloc(kind === 'announced' ? 1 : 20_000));
    });
    await expect(run({ host: '127.0.0.1', port })).resolves.toBeDefined();
  });

  it.each([
    ['unsupported protocol scheme "ftp"', { scheme: 'FTP' }],
    ['net/http: invalid header field value for "X"', { httpHeaders: [{ name: 'X', value: 'a\r\nGET /' }] }],
  ])('is not sent: %s', async (text, action) => {
    let count = 0;
    const port = await listen(createTcpServer(() => void (count += 1)));
    await expect(run({ host: '127.0.0.1', port, ...action })).rejects.toThrow(text);
    expect(count).toBe(0);
  });

  it.each([
    ['ftp://127.0.0.1/', 'unsupported protocol scheme "ftp"'],
    ['http://[', 'failed to parse Location header "http://["'],
  ])('fails when it is sent to %s', async (location, text) => {
    const port = await serve((_, response) => void response.writeHead(302, { location }).end());
    await expect(run({ host: '127.0.0.1', port })).rejects.toThrow(text);
  });

  it('tells both ends of a connection that was reset', async () => {
    const port = await listen(createTcpServer((socket) => void socket.once('data', () => socket.resetAndDestroy())));
    await expect(run({ host: '127.0.0.1', port })).rejects.toThrow(
      /Get "http:.*": read tcp 127\.0\.0\.1:\d+->127\.0\.0\.1:\d+: read: connection reset by peer/,
    );
  });

  it('counts the fallback from https to http only when it helped', async () => {
    const port = await serve((_, response) => void response.end());
    const metric = 'kubelet_lifecycle_handler_http_fallbacks_total';
    expect(await run({ host: '127.0.0.1', port, scheme: 'HTTPS' })).toContain(`${metric} 1`);
    expect(await run({ host: '127.0.0.1', port })).not.toContain(`${metric} 1`);
    const rude = await listen(createTcpServer((socket) => void socket.end('SSH-2.0-x\r\n')));
    await expect(run({ host: '127.0.0.1', port: rude, scheme: 'HTTPS' })).rejects.toThrow(
      `Get "https://127.0.0.1:${rude}/": http: server gave HTTP response to HTTPS client`,
    );
  });

  it('does not try http where nobody answers at all', async () => {
    await expect(run({ host: '127.0.0.1', port: 1, scheme: 'HTTPS' })).rejects.toThrow(
      `Get "https://127.0.0.1:1/": dial tcp 127.0.0.1:1: connect: connection refused`,
    );
    const silent = await listen(createTcpServer((socket) => void socket.once('data', () => socket.destroy())));
    await expect(run({ host: '127.0.0.1', port: silent })).rejects.toThrow(/Get "http:.*": EOF/);
    await expect(run({ host: '127.0.0.1', port: silent, scheme: 'HTTPS' })).rejects.toThrow(/Get "https:.*": EOF/);
  });
});
