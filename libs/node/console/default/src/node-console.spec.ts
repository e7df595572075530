import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ContainerLogRequest } from '@podwright/container-logs-interface';
import type { Decision } from '@podwright/journal-interface';
import { KubeletError } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import { askRoutes, describeServerRoutesContract, type Asked } from '@podwright/server-interface/contract';
import { consoleConfig } from './console-config.js';
import { createNodeConsole } from './console.module.js';
import { createTestNode } from './fixtures/test-node.js';
import type { NodeConsole } from './node-console.js';

let rootDir = '';
beforeEach(async () => {
  rootDir = await mkdtemp(path.join(tmpdir(), 'node-console-'));
});
afterEach(() => rm(rootDir, { recursive: true, force: true }));

const web: Pod = {
  metadata: { uid: 'u1', namespace: 'shop', name: 'web' },
  spec: { containers: [{ name: 'main', image: 'web:1' }] },
};
const received: Decision = {
  ...{ kind: 'pod.received', pod: { uid: 'u1', namespace: 'shop', name: 'web' }, source: 'api', operation: 'add' },
};

describe('the token of NodeConsole', () => {
  const content = (name: string): Promise<string> => readFile(path.join(rootDir, 'console', name), 'utf8');

  it('is a new one after each start, for root only, and gone when the console is stopped', async () => {
    const { deps } = createTestNode();
    const tokens: string[] = [];
    for (const _ of ['first', 'second']) {
      const console = createNodeConsole(deps, { address: ':0', rootDir });
      await console.start();
      tokens.push(await content('token'));
      expect((await stat(path.join(rootDir, 'console/token'))).mode & 0o777).toBe(0o600);
      expect((await stat(path.join(rootDir, 'console'))).mode & 0o777).toBe(0o700);
      // Nobody comes before the server listens.
      await expect(content('address')).rejects.toThrow('ENOENT');
      await console.listeners()[0]?.opened('127.0.0.1:4194');
      expect([await content('address'), console.address()]).toEqual(['127.0.0.1:4194\n', '127.0.0.1:4194']);
      if (tokens.length === 2) await console.stop();
    }
    expect(tokens[0]).not.toBe(tokens[1]);
    expect(tokens[0]).toMatch(/^[0-9a-f]{64}\n$/);
    expect(await readdir(rootDir)).toEqual([]);
  });

  it('waits for a disk that takes nothing, without keeping the console from its start', async () => {
    const { deps, clock, logger } = createTestNode();
    await symlink(path.join(rootDir, 'later'), path.join(rootDir, 'root'));
    const console = createNodeConsole(deps, { address: ':0', rootDir: path.join(rootDir, 'root') });
    await console.start();
    await console.listeners()[0]?.opened('127.0.0.1:4194');
    await clock.advance(60_000);
    expect(logger.messages('error')).toEqual([expect.stringContaining('lets nobody in yet')]);
    await mkdir(path.join(rootDir, 'later'));
    await clock.advance(60_000);
    expect(await readdir(path.join(rootDir, 'later/console'))).toEqual(['address', 'token']);
    await console.stop();
    expect([clock.pendingTimers, await readdir(path.join(rootDir, 'later'))]).toEqual([0, []]);
  });

  it('of a kubelet that was killed goes with a start without the console', async () => {
    await mkdir(path.join(rootDir, 'console'));
    await writeFile(path.join(rootDir, 'console/token'), 'stale');
    const console = createNodeConsole(createTestNode().deps, { rootDir });
    await console.start();
    expect(await readdir(rootDir)).toEqual([]);
    await console.stop();
  });
});

describe('NodeConsole', () => {
  it('is nowhere when it is off', async () => {
    const console = createNodeConsole(createTestNode().deps, { rootDir });
    expect([console.routes(), console.listeners()]).toEqual([[], []]);
  });

  it.each(['explainer', 'journal'])('does not start without the %s, and says what to do', async (need) => {
    const deps = { ...createTestNode().deps, [need]: undefined };
    await expect(createNodeConsole(deps, { address: ':0', rootDir }).start()).rejects.toThrow(
      `the console needs the ${need}: pass it, or leave the address empty (--console-address)`,
    );
    await createNodeConsole(deps, { rootDir }).start();
  });

  it.each([
    [
      { address: '0.0.0.0:4194' },
      'address',
      'main port below /console/, behind its access control (flag --console-address)',
    ],
    [{ address: 'node-1' }, 'address', 'must be an IP address of loopback, or localhost'],
    [{ rootDir: 'relative' }, 'rootDir', 'must be an absolute path'],
    [{ maxWatchers: 0 }, 'maxWatchers', '1'],
  ])('refuses the options %j', (options, field, problem) => {
    const decoded = consoleConfig.decode(options);
    expect(decoded).toMatchObject({ ok: false, faults: [{ field, problem: expect.stringContaining(problem) }] });
  });

  it('lets in on its own port only who has the token, and nobody before it is started', async () => {
    const console = createNodeConsole(createTestNode().deps, { address: ':0', rootDir });
    const [listener] = console.listeners();
    const query = new URLSearchParams();
    const asked = { method: 'GET', path: '/console/', query, headers: { host: '127.0.0.1' } };
    expect(listener?.refuse(asked)?.status).toBe(503);
    await console.start();
    expect(listener?.refuse(asked)?.status).toBe(401);
    query.set('token', (await readFile(path.join(rootDir, 'console/token'), 'utf8')).trim());
    expect(listener?.refuse(asked)?.status).toBe(303);
    await console.stop();
  });
});

describe('the routes of NodeConsole', () => {
  let console: NodeConsole;
  let node: ReturnType<typeof createTestNode>;
  const opened: ContainerLogRequest[] = [];
  const ask = (url: string, signal?: AbortSignal): Promise<Asked> =>
    askRoutes(console.routes(), 'GET', url, signal && { signal });

  beforeEach(async () => {
    node = createTestNode({
      logs: {
        open: async (request) => {
          opened.push(request);
          if (request.options.previous === true) throw new KubeletError('no previous container', { code: 'not-found' });
          return (async function* () {
            yield Buffer.from('one\n');
          })();
        },
      },
    });
    node.pods.add(web);
    node.journal.report(received);
    console = createNodeConsole(node.deps, { address: ':0', rootDir, maxWatchers: 1 });
    await console.start();
  });
  afterEach(() => console.stop());

  it('tell the browser to load nothing from elsewhere', async () => {
    for (const url of ['/console/', '/console/assets/x.js', '/console/data/cgroups', '/console/data/pods/a/b']) {
      expect((await ask(url)).headers).toMatchObject({
        'Content-Security-Policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ...{ 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' },
      });
    }
  });

  it('are relative to their folder, and only for reading', async () => {
    expect(await ask('/console')).toMatchObject({ status: 302, headers: { Location: 'console/' } });
    expect((await askRoutes(console.routes(), 'POST', '/console/')).status).toBe(405);
    expect((await ask('/console/data/nothing')).status).toBe(404);
    const { routes } = { routes: console.routes() };
    const debugging = routes.filter(({ debugging = false }) => !debugging).map(({ path: route }) => route);
    expect(debugging.every((route) => route.startsWith('/api/v1.3/'))).toBe(true);
  });

  it('show a pod, and say when nobody knows one', async () => {
    const { status, body } = await ask('/console/data/pods/shop/web?uid=u1');
    expect([status, JSON.parse(body)]).toMatchObject([200, { row: { name: 'web' }, containers: [{ name: 'main' }] }]);
    expect(await ask('/console/data/pods/shop/%3Cb%3E')).toMatchObject({
      ...{ status: 404, body: 'nobody on this node knows pod "shop/<b>"\n' },
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    });
    expect((await ask('/console/data/pods/shop/web?uid=u2')).body).toContain('with UID "u2"');
  });

  it('show logs', async () => {
    const logs = '/console/data/pods/shop/web/containers/main/logs';
    expect(await ask(`${logs}?tailLines=5&follow=true`)).toMatchObject({ status: 200, body: 'one\n' });
    expect(opened.at(-1)).toMatchObject({ container: 'main', options: { tailLines: 5, follow: true } });
    expect(await ask(`${logs}?previous=true`)).toMatchObject({ status: 400, body: 'no previous container\n' });
    expect(await ask(`${logs}?tailLines=-1`)).toMatchObject({
      ...{ status: 400, body: 'tailLines must be 0 to 100000, not "-1"\n' },
    });
    expect((await ask('/console/data/pods/shop/web/containers/none/logs')).status).toBe(404);
    expect((await ask('/console/data/pods/shop/none/containers/main/logs')).status).toBe(404);
  });

  it('show the journal, and name what is wrong with a query', async () => {
    const { body } = await ask('/console/data/journal?kinds=pod.received,pod.ended&pod=u1&limit=1');
    expect(JSON.parse(body)).toMatchObject({ entries: [{ kind: 'pod.received' }], more: false });
    expect(await ask('/console/data/journal?kinds=nonsense')).toMatchObject({
      ...{ status: 400, body: expect.stringContaining('kinds has "nonsense", which is no kind of decision') },
    });
    expect((await ask('/console/data/journal?since=yesterday')).body).toBe(
      'since must be a whole number, not "yesterday"\n',
    );
    expect((await ask('/console/data/journal?limit=1001')).body).toBe('limit must be 1 to 1000, not 1001\n');
  });

  it('stream to as many as may watch, and tell the next one so', async () => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const streaming = ask('/console/live', signal);
    await node.clock.advance(3_000);
    expect(await ask('/console/live')).toMatchObject({
      ...{ status: 429, headers: { 'Retry-After': '10' } },
      body: "1 browsers or programs watch this node's console already; close one of them\n",
    });
    leaving.abort();
    const { status, headers, body } = await streaming;
    expect([status, headers['Content-Type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(body).toMatch(/^retry: 2000\n\nevent: hello\ndata: \{.*\}\n\n(event: \w+\ndata: .*\n\n)+$/);
    expect(console.watchers()).toBe(0);
  });
});

describeServerRoutesContract('those of the console', () => {
  const node = createTestNode({
    logs: {
      open: async () =>
        (async function* () {
          yield Buffer.from('one\n');
        })(),
    },
  });
  node.pods.add(web);
  // Devices of the machine itself come and go meanwhile.
  const console = createNodeConsole(node.deps, { address: ':0', rootDir, hostRoot: '/none' });
  // With the first request: a case that sends none must not leave a start behind that outlives its folder.
  let started: Promise<void> | undefined;
  const of = { namespace: 'shop', name: 'web' };
  const routes = console.routes().map((route) => ({
    ...route,
    handle: async (request: Parameters<typeof route.handle>[0]) => {
      await (started ??= console.start());
      return route.handle(request);
    },
  }));
  return {
    routes: routes.filter(({ path: route }) => !route.includes('...')),
    // A stream has no end, and without a build there are no files.
    actions: ['/console/live', '/console', '/console/assets/{name}'],
    pages: {
      '/console/data/pods/{namespace}/{name}': of,
      '/console/data/pods/{namespace}/{name}/containers/{container}/logs': { ...of, container: 'main' },
    },
  };
});
