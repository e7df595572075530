import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { KubeletError, type ErrorCode } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import type { StreamSession, UpgradeRequest } from '@podwright/streaming-interface';
import type { Answer } from '@podwright/http-answer';
import { askRoutes } from '@podwright/server-interface/contract';
import { requestTarget, Router } from '@podwright/http-router';
import { podsByFullName } from '../fixtures/pods-by-full-name.js';
import { ProxyError } from '../proxy/proxy-error.js';
import { streamRoutes } from './stream-routes.js';

const pod: Pod = {
  metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
  spec: { containers: [{ name: 'app' }, { name: 'shell', tty: true }] },
};
const identity = { podUid: 'u1', podName: 'web', podNamespace: 'shop' };
const none = { stdin: false, stdout: false, stderr: false, tty: false };
const pods = podsByFullName(pod);

interface Upgraded {
  readonly answer: Answer | undefined;
  readonly sessions: readonly StreamSession[];
}

async function upgrade(
  url: string,
  headers: Readonly<Record<string, string>> = { connection: 'Upgrade', upgrade: 'SPDY/3.1' },
  failure?: Error,
): Promise<Upgraded> {
  const sessions: StreamSession[] = [];
  const serve = async (session: StreamSession): Promise<void> => {
    sessions.push(session);
    if (failure !== undefined) throw failure;
  };
  const target = requestTarget(url);
  if (target === undefined) throw new Error('malformed');
  const routed = new Router(streamRoutes({ pods, streaming: { prepare: () => Promise.resolve(), serve } })).find(
    'POST',
    target,
  );
  if ('answer' in routed) return { answer: routed.answer, sessions };
  const connection: UpgradeRequest = {
    ...{ method: 'POST', url, rawHeaders: [], socket: new PassThrough(), head: Buffer.alloc(0) },
    remoteAddress: '127.0.0.1',
  };
  const { path, query } = target;
  const answer = await routed.route.upgrade?.(
    {
      ...{ method: 'POST', path, query, headers, parameters: routed.parameters, user: undefined },
      signal: new AbortController().signal,
      body: async () => Buffer.alloc(0),
    },
    connection,
  );
  return { answer, sessions };
}

const webSocket = (protocol: string): Readonly<Record<string, string>> => ({
  connection: 'keep-alive, Upgrade',
  upgrade: 'websocket',
  'sec-websocket-protocol': protocol,
});

describe('exec, attach and port-forward', () => {
  it.each<[string, StreamSession]>([
    [
      '/exec/shop/web/app?command=ls&command=-l&output=1&error=1',
      { kind: 'exec', ...identity, ...none, stdout: true, stderr: true, container: 'app', command: ['ls', '-l'] },
    ],
    [
      '/exec/shop/web/u1/app?input=1',
      { kind: 'exec', ...identity, ...none, stdin: true, container: 'app', command: [] },
    ],
    [
      '/exec/shop/web/u2/app?input=1',
      { kind: 'exec', ...identity, podUid: 'u2', ...none, stdin: true, container: 'app', command: [] },
    ],
    // A terminal has no stderr.
    [
      '/exec/shop/web/app?output=1&error=1&tty=1',
      { kind: 'exec', ...identity, ...none, stdout: true, tty: true, container: 'app', command: [] },
    ],
    // Nothing but 1 is yes.
    [
      '/exec/shop/web/app?output=1&input=true&tty=yes',
      { kind: 'exec', ...identity, ...none, stdout: true, container: 'app', command: [] },
    ],
    // The container's own terminal counts, not the query's.
    ['/attach/shop/web/app?output=1&tty=1', { kind: 'attach', ...identity, ...none, stdout: true, container: 'app' }],
    [
      '/attach/shop/web/u1/shell?output=1&error=1',
      { kind: 'attach', ...identity, ...none, stdout: true, stderr: true, tty: true, container: 'shell' },
    ],
    ['/portForward/shop/web?port=80', { kind: 'portforward', ...identity, ports: [] }],
    ['/portForward/shop/web/u1', { kind: 'portforward', ...identity, ports: [] }],
  ])('%s', async (url, session) => {
    expect(await upgrade(url)).toEqual({ answer: undefined, sessions: [session] });
  });

  it.each([
    ['port=80', [80]],
    ['port=80,443&port=22', [80, 443, 22]],
  ])('takes the ports of a legacy WebSocket: %s', async (query, ports) => {
    const { sessions } = await upgrade(`/portForward/shop/web?${query}`, webSocket('v4.channel.k8s.io'));
    expect(sessions).toEqual([{ kind: 'portforward', ...identity, ports }]);
  });

  it('needs no ports when SPDY goes through the WebSocket', async () => {
    const { sessions } = await upgrade('/portForward/shop/web', webSocket('SPDY/3.1+portforward.k8s.io'));
    expect(sessions).toEqual([{ kind: 'portforward', ...identity, ports: [] }]);
  });

  it.each([
    ['', 'query parameter "port" is required'],
    ['port=', 'query parameter "port" cannot be empty'],
    ['port=x', 'unable to parse "x" as a port: strconv.ParseUint: parsing "x": invalid syntax'],
    ['port=1,70000', 'unable to parse "1,70000" as a port: strconv.ParseUint: parsing "70000": value out of range'],
    ['port=0', 'port "0" must be > 0'],
    ['port=-1', 'unable to parse "-1" as a port: strconv.ParseUint: parsing "-1": invalid syntax'],
  ])('refuses the ports of a legacy WebSocket: %s', async (query, body) => {
    const { answer } = await upgrade(`/portForward/shop/web?${query}`, webSocket('v4.channel.k8s.io'));
    expect(answer).toMatchObject({ status: 400, body });
  });

  it.each([
    ['/exec/shop/web/app', 400, 'you must specify at least 1 of stdin, stdout, stderr'],
    // Parameters are read before the pod is looked for.
    ['/attach/shop/none/app', 400, 'you must specify at least 1 of stdin, stdout, stderr'],
    ['/exec/shop/none/app?output=1', 404, 'pod does not exist'],
    ['/attach/shop/none/app?output=1', 404, 'pod does not exist'],
    ['/portForward/shop/none', 404, 'pod does not exist'],
    ['/portForward/shop/web/u2', 404, 'pod not found'],
    ['/attach/shop/web/u2/app?output=1', 500, 'pod web_shop not found'],
    ['/attach/shop/web/none?output=1', 500, 'container none not found in pod web_shop'],
    ['/exec/shop/web', 404, '404: Page Not Found'],
    ['/portForward/shop', 404, '404: Page Not Found'],
  ])('%s: %i %s', async (url, status, body) => {
    const { answer, sessions } = await upgrade(url);
    expect(answer).toMatchObject({ status, body });
    expect(sessions).toEqual([]);
  });

  it.each<[ErrorCode, number, Readonly<Record<string, string>>]>([
    ['not-found', 404, {}],
    ['resource-exhausted', 429, { 'Retry-After': '60' }],
    ['unavailable', 500, {}],
    ['internal', 500, {}],
    ['deadline-exceeded', 500, {}],
  ])('a runtime that answers %s', async (code, status, headers) => {
    const { answer } = await upgrade('/exec/shop/web/app?output=1', undefined, new KubeletError('why', { code }));
    expect(answer).toEqual({
      status,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
      body: 'why',
    });
  });

  it.each<[ErrorCode, number]>([
    ['internal', 500],
    ['invalid-argument', 400],
  ])('a streaming server that cannot be joined: %s', async (code, status) => {
    const failure = ProxyError.from(new KubeletError('why', { code }));
    const { answer } = await upgrade('/exec/shop/web/app?output=1', undefined, failure);
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' };
    expect(answer).toEqual({ status, headers, body: 'why\n' });
  });

  const notServed = (prepare: () => Promise<void>): ReturnType<typeof streamRoutes> =>
    streamRoutes({ pods, streaming: { prepare, serve: () => Promise.reject(new Error('not asked')) } });

  it('asks the runtime for the session before it wants an upgrade', async () => {
    const missing = new KubeletError('container not found ("app")', { code: 'internal' });
    const routes = notServed(() => Promise.reject(missing));
    expect(await askRoutes(routes, 'POST', '/exec/shop/web/app?output=1')).toMatchObject({
      status: 500,
      body: 'container not found ("app")',
    });
  });

  it.each(['GET', 'POST'])('wants an upgrade: %s', async (method) => {
    const routes = notServed(() => Promise.resolve());
    expect(await askRoutes(routes, method, '/exec/shop/web/app?output=1')).toMatchObject({
      status: 500,
      body: 'Upgrade request required\n',
    });
    expect(await askRoutes(routes, method, '/exec/shop/none/app?output=1')).toMatchObject({ status: 404 });
  });

  it('has no other methods', async () => {
    const routes = notServed(() => Promise.resolve());
    expect(await askRoutes(routes, 'PUT', '/attach/shop/web/app')).toMatchObject({ status: 405 });
  });
});
