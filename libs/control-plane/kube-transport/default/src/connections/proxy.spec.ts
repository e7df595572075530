import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parseServer } from '@podwright/kubeconfig';
import type { ServerAddress } from '@podwright/kubeconfig';
import { failed, get, text, TransportHarness } from '../fixtures/transport-harness.js';
import { chooseProxy } from './proxy-choice.js';

describe('the proxy for', () => {
  const both = { HTTPS_PROXY: 'http://secure:1', HTTP_PROXY: 'plain:2' };
  it.each<[string, string | undefined, Record<string, string>, string | undefined]>([
    ['https://10.0.0.1', undefined, both, 'http://secure:1/'],
    ['http://10.0.0.1', undefined, both, 'http://plain:2/'],
    ['https://10.0.0.1', undefined, { https_proxy: 'https://p' }, 'https://p/'],
    ['https://10.0.0.1', undefined, {}, undefined],
    ['https://10.0.0.1', 'http://own:3', { ...both, NO_PROXY: '*' }, 'http://own:3/'],
    ['https://localhost', undefined, both, undefined],
    ['https://127.0.0.5', undefined, both, undefined],
    ['https://[::1]', undefined, both, undefined],
    ['https://10.0.0.1', undefined, { ...both, NO_PROXY: '*' }, undefined],
    ['https://10.0.0.1', undefined, { ...both, NO_PROXY: 'a, 10.0.0.0/8' }, undefined],
    ['https://10.0.0.1', undefined, { ...both, no_proxy: '10.0.0.1' }, undefined],
    ['https://10.0.0.1:6443', undefined, { ...both, NO_PROXY: '10.0.0.1:6443' }, undefined],
    [
      'https://10.0.0.1:6443',
      undefined,
      { ...both, NO_PROXY: '10.0.0.1:443,11.0.0.0/8,10.0.0.0/99' },
      'http://secure:1/',
    ],
    ['https://[fd00::1]', undefined, { ...both, NO_PROXY: 'fd00::/8' }, undefined],
    ['https://[fd00::1]', undefined, { ...both, NO_PROXY: 'fd00::1' }, undefined],
    ['https://[fd00::1]', undefined, { ...both, NO_PROXY: 'fe00::/8,10.0.0.0/8' }, 'http://secure:1/'],
    ['https://api.example.org', undefined, { ...both, NO_PROXY: 'example.org' }, undefined],
    ['https://api.example.org', undefined, { ...both, NO_PROXY: '.EXAMPLE.org' }, undefined],
    ['https://api.example.org', undefined, { ...both, NO_PROXY: '*.example.org:443' }, undefined],
    ['https://example.org', undefined, { ...both, NO_PROXY: '.example.org' }, 'http://secure:1/'],
    ['https://badexample.org', undefined, { ...both, NO_PROXY: 'example.org' }, 'http://secure:1/'],
  ])('%s with %s and %j is %s', (server, proxyUrl, environment, expected) => {
    expect(chooseProxy(parseServer(server) as ServerAddress, proxyUrl, environment)?.href).toBe(expected);
  });

  it('a server is refused when it cannot be used', () => {
    const server = parseServer('https://10.0.0.1') as ServerAddress;
    expect(() => chooseProxy(server, 'socks5://p', {})).toThrow('socks5 proxies are not supported yet');
    expect(() => chooseProxy(server, undefined, { HTTPS_PROXY: 'ftp://p' })).toThrow(
      'HTTPS_PROXY "ftp://p": unsupported scheme',
    );
  });
});

describe('a transport with proxy-url', () => {
  let harness: TransportHarness;
  beforeAll(async () => {
    harness = await TransportHarness.create();
  });
  afterEach(() => harness.reset());
  afterAll(() => harness.close());

  async function startProxy(allowed: string): Promise<{ port: number; asked: (string | undefined)[] }> {
    const asked: (string | undefined)[] = [];
    const sockets = new Set<Socket>();
    const proxy = createServer();
    proxy.on('connection', (socket: Socket) => void sockets.add(socket));
    proxy.on('connect', (request, near: Socket) => {
      asked.push(request.url, request.headers['proxy-authorization']);
      if (request.url !== allowed) return void near.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      const far = connect(Number(allowed.split(':')[1]), '127.0.0.1', () => near.write('HTTP/1.1 200 OK\r\n\r\n'));
      far.pipe(near).pipe(far);
      for (const socket of [near, far]) socket.on('error', () => undefined);
      sockets.add(far);
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    harness.later(async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    });
    return { port: (proxy.address() as AddressInfo).port, asked };
  }

  it('goes through it', async () => {
    const server = await harness.serve((request, response) => void response.end(request.httpVersion));
    const target = `127.0.0.1:${server.port}`;
    const { port, asked } = await startProxy(target);
    const cluster = { server: `https://${target}`, 'proxy-url': `http://me:p%40ss@127.0.0.1:${port}` };
    const { transport } = await harness.connect(cluster);
    expect(await text(await get(transport))).toBe('2.0');
    expect(asked).toEqual([target, `Basic ${Buffer.from('me:p@ss').toString('base64')}`]);
  });

  it('says what the proxy says', async () => {
    const { port } = await startProxy('nothing');
    const cluster = { server: 'https://127.0.0.1:1', 'proxy-url': `http://127.0.0.1:${port}` };
    const { transport } = await harness.connect(cluster);
    expect((await failed(get(transport))).message).toBe(
      `proxy 127.0.0.1:${port} refuses the way to 127.0.0.1:1: HTTP/1.1 403 Forbidden`,
    );
  });
});
