import { afterEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { pods, type Informer, type InformerOptions, type KubeHttpRequest } from '@podwright/kube-client-interface';
import { ScriptedStream, ScriptedTransport, type ScriptedAnswer } from '@podwright/kube-client-interface/contract';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { createKubeClient } from '../kube-client.module.js';

const pod = (name: string, resourceVersion: string, more: object = {}): Pod =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'ns', name, uid: name, resourceVersion }, ...more }) as Pod;
const bookmark = (resourceVersion: string, initialEventsEnd = false): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { resourceVersion, ...(initialEventsEnd && { annotations: { 'k8s.io/initial-events-end': 'true' } }) },
});
const podList = (resourceVersion: string, items: readonly Pod[], more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'PodList',
  metadata: { resourceVersion, ...more },
  items,
});
const failed = (code: number, reason: string, more: object = {}): ScriptedAnswer => ({
  status: code,
  body: { apiVersion: 'v1', kind: 'Status', status: 'Failure', code, reason, message: reason, ...more },
});
const refused = (): never => {
  throw new KubeletError('connect ECONNREFUSED', { code: 'unavailable' });
};

const running: Informer<Pod>[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((informer) => informer.stop()));
});

/** A server that offers streamed lists unless `answers` says otherwise; `streams` are the watches that it took, in order. */
function setUp(options: InformerOptions<Pod> = {}, config: { readonly streamedLists?: boolean } = {}) {
  const clock = new VirtualClock();
  const logger = createMemoryLogger();
  const streams: ScriptedStream[] = [];
  const script = {
    streamed: (_request: KubeHttpRequest): ScriptedAnswer =>
      opened((body) => body.event('BOOKMARK', bookmark('10', true))),
    watch: (_request: KubeHttpRequest): ScriptedAnswer | undefined => opened(() => undefined),
    list: (_request: KubeHttpRequest): ScriptedAnswer => ({ body: podList('10', []) }),
  };
  function opened(begin: (body: ScriptedStream) => void): ScriptedAnswer {
    const body = new ScriptedStream();
    streams.push(body);
    begin(body);
    return { body };
  }
  const transport = new ScriptedTransport((request) => {
    if (request.path.includes('sendInitialEvents')) return script.streamed(request);
    return request.path.includes('watch=true') ? script.watch(request) : script.list(request);
  });
  const random = createSeededRandom('reflector');
  const client = createKubeClient({ transport, clock, random, logger, metrics: createMetricsRegistry() }, config);
  const informer = client.inform(pods, options);
  running.push(informer);
  const seen: string[] = [];
  informer.watch((change) =>
    seen.push(change.type === 'replaced' ? 'replaced' : `${change.type} ${change.object.metadata.name}`),
  );
  const last = (): ScriptedStream => streams[streams.length - 1] as ScriptedStream;
  /** Paths without what is random. */
  const paths = (): readonly string[] => transport.takePaths().map((path) => path.replace(/timeoutSeconds=\d+/, 'T'));
  return { clock, logger, script, transport, informer, seen, streams, last, opened, paths };
}

const streamedPath =
  '/api/v1/pods?allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&T&watch=true';
const streamedFrom = (version: string): string =>
  `/api/v1/pods?allowWatchBookmarks=true&resourceVersion=${version}&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&T&watch=true`;
const watchFrom = (version: string): string =>
  `/api/v1/pods?allowWatchBookmarks=true&resourceVersion=${version}&T&watch=true`;

describe('Reflector', () => {
  it('takes a streamed list and goes on with the same watch', async () => {
    const { clock, informer, seen, script, opened, last, paths } = setUp();
    script.streamed = () =>
      opened((body) => {
        body.event('ADDED', pod('b', '7'));
        body.event('ADDED', pod('a', '3'));
      });
    informer.start();
    await clock.advance(0);
    expect([informer.hasSynced(), informer.resourceVersion(), seen]).toEqual([false, '', []]);
    last().event('BOOKMARK', bookmark('10', true));
    await clock.advance(0);
    expect([informer.hasSynced(), informer.resourceVersion()]).toEqual([true, '10']);
    last().event('MODIFIED', pod('a', '11'));
    last().event('MODIFIED', pod('a', '11'));
    last().event('DELETED', pod('b', '12'));
    last().event('BOOKMARK', bookmark('20'));
    await clock.advance(0);
    expect(seen).toEqual(['added b', 'added a', 'replaced', 'updated a', 'deleted b']);
    expect(informer.resourceVersion()).toBe('20');
    expect(paths()).toEqual([streamedPath]);
  });

  it('does not ask for streamed lists when they are switched off', async () => {
    const { clock, informer, script, seen, last, paths } = setUp({}, { streamedLists: false });
    script.list = () => ({ body: podList('10', [pod('a', '1')]) });
    informer.start();
    await clock.advance(0);
    last().event('ADDED', pod('b', '11'));
    await clock.advance(0);
    expect(seen).toEqual(['added a', 'replaced', 'added b']);
    expect(paths()).toEqual(['/api/v1/pods?limit=500&resourceVersion=0', watchFrom('10')]);
  });

  it('falls back to a list with version 0, in pages, then watches', async () => {
    const { clock, informer, seen, script, paths, last } = setUp();
    script.streamed = () => failed(422, 'Invalid');
    script.list = ({ path }) => ({
      body: path.includes('continue=')
        ? podList('10', [pod('b', '2')])
        : podList('10', [pod('a', '1')], { continue: 'x y' }),
    });
    informer.start();
    await clock.advance(0);
    expect(seen).toEqual(['added a', 'added b', 'replaced']);
    expect(paths()).toEqual([
      streamedPath,
      '/api/v1/pods?limit=500&resourceVersion=0',
      '/api/v1/pods?continue=x+y&limit=500',
      watchFrom('10'),
    ]);
    // Its time is up: the server closes it.
    await clock.advance(5_000);
    last().end();
    await clock.advance(0);
    expect(paths()).toEqual([watchFrom('10')]);
  });

  it('asks for a time between five and ten minutes, and ends a watch that the server forgot', async () => {
    const { clock, informer, transport, streams } = setUp();
    informer.start();
    await clock.advance(0);
    const seconds = (): number => Number(/timeoutSeconds=(\d+)/.exec(transport.requests.at(-1)?.path ?? '')?.[1]);
    for (let count = 1; count < 20; count++) {
      const [asked, open] = [seconds(), streams.length];
      expect(asked).toBeGreaterThanOrEqual(300);
      expect(asked).toBeLessThanOrEqual(600);
      await clock.advance((asked + 29) * 1000);
      expect(streams).toHaveLength(open);
      await clock.advance(1_000);
      expect(streams).toHaveLength(open + 1);
      expect(streams[open - 1]?.closed).toBe(true);
    }
    expect(
      transport
        .takePaths()
        .slice(1)
        .every((path) => path.includes('resourceVersion=10')),
    ).toBe(true);
  });

  it('asks again when a watch is not answered within a minute', async () => {
    const { clock, informer, script, seen, last, opened, paths } = setUp();
    informer.start();
    await clock.advance(10_000);
    script.watch = () => undefined;
    last().end();
    await clock.advance(0);
    expect(paths()).toEqual([streamedPath, watchFrom('10')]);
    script.streamed = () =>
      opened((body) => {
        body.event('ADDED', pod('late', '11'));
        body.event('BOOKMARK', bookmark('11', true));
      });
    await clock.advance(59_000);
    expect(paths()).toEqual([]);
    await clock.advance(3_000);
    expect(paths()).toEqual([streamedFrom('10')]);
    expect(seen).toEqual(['replaced', 'added late', 'replaced']);
  });

  it('asks for longer watches when it is told to', async () => {
    const { clock, informer, transport } = setUp({ minWatchTimeoutMs: 1_800_000 });
    informer.start();
    await clock.advance(0);
    const seconds = Number(/timeoutSeconds=(\d+)/.exec(transport.requests.at(-1)?.path ?? '')?.[1]);
    expect([seconds >= 1_800, seconds <= 3_600]).toEqual([true, true]);
  });

  it('goes on from its last version when the connection breaks and while the server is away, and says so once', async () => {
    const { clock, informer, logger, script, paths, last, opened } = setUp();
    informer.start();
    await clock.advance(0);
    last().event('ADDED', pod('a', '15'));
    await clock.advance(60_000);
    paths();
    script.watch = refused;
    last().fail(new Error('socket hang up'));
    await clock.advance(10 * 60_000);
    const tries = paths();
    expect(new Set(tries)).toEqual(new Set([watchFrom('15')]));
    // Seven tries in two minutes: 0.8 s doubled up to 30 s, each up to twice as long.
    expect(tries.length).toBeGreaterThan(20);
    expect(tries.length).toBeLessThan(60);
    expect(informer.list()).toHaveLength(1);
    expect(logger.messages('error')).toHaveLength(1);
    expect(logger.messages('error')[0]).toContain('The API server cannot be reached');
    script.watch = () => opened(() => undefined);
    await clock.advance(60_000);
    expect(paths().at(-1)).toBe(watchFrom('15'));
    expect(logger.messages('info')).toContain('The API server answers again');
    expect(logger.messages('error')).toHaveLength(1);
    expect(logger.messages('warning')).toEqual([]);
  });

  it.each([429, 503])('keeps its version and backs off at a %i', async (code) => {
    const { clock, informer, script, paths, last, logger } = setUp();
    informer.start();
    await clock.advance(2_000);
    script.watch = () => failed(code, 'Busy');
    last().event('ERROR', failed(code, 'Busy').body);
    await clock.advance(10_000);
    const tries = paths();
    expect(tries.slice(1).every((path) => path === watchFrom('10'))).toBe(true);
    expect(tries.length).toBeGreaterThan(2);
    expect(tries.length).toBeLessThan(9);
    expect(logger.messages('error')).toHaveLength(1);
  });

  it('lists from its version when that has expired, and from the newest when that is gone too', async () => {
    const { clock, informer, script, paths, last, opened, seen } = setUp();
    informer.start();
    await clock.advance(2_000);
    last().event('ADDED', pod('a', '11'));
    script.streamed = (request) =>
      request.path.includes('resourceVersion=11')
        ? failed(410, 'Expired')
        : opened((body) => {
            body.event('ADDED', pod('b', '90'));
            body.event('BOOKMARK', bookmark('100', true));
          });
    last().event('ERROR', failed(410, 'Expired').body);
    await clock.advance(2_000);
    expect(paths()).toEqual([streamedPath, streamedFrom('11'), streamedPath]);
    expect(seen).toEqual(['replaced', 'added a', 'added b', 'deleted a', 'replaced']);
    expect(informer.resourceVersion()).toBe('100');
  });

  it('lists from the newest version when the server knows only older ones', async () => {
    const { clock, informer, script, paths, last } = setUp();
    informer.start();
    await clock.advance(2_000);
    script.streamed = () => failed(422, 'Invalid');
    script.list = ({ path }) =>
      path.includes('resourceVersion=10')
        ? failed(504, 'Timeout', { details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'x' }] } })
        : { body: podList('5', []) };
    last().event('ERROR', failed(410, 'Gone').body);
    await clock.advance(2_000);
    expect(paths().slice(1)).toEqual([
      streamedFrom('10'),
      '/api/v1/pods?resourceVersion=10',
      '/api/v1/pods?limit=500',
      watchFrom('5'),
    ]);
  });

  it('fetches a list that expires between two pages again in one', async () => {
    const { clock, informer, script, paths } = setUp();
    script.streamed = () => failed(400, 'BadRequest');
    script.list = ({ path }) => {
      if (path.includes('continue=')) return failed(410, 'Expired');
      return { body: path.includes('limit=') ? podList('10', [pod('a', '1')], { continue: 'c' }) : podList('11', []) };
    };
    informer.start();
    await clock.advance(0);
    expect(paths().slice(1, 4)).toEqual([
      '/api/v1/pods?limit=500&resourceVersion=0',
      '/api/v1/pods?continue=c&limit=500',
      '/api/v1/pods?resourceVersion=0',
    ]);
    expect(informer.resourceVersion()).toBe('11');
  });

  it('takes a watch that ends at once for trouble, not for the end of its time', async () => {
    const { clock, informer, script, paths, last, logger, opened } = setUp();
    informer.start();
    await clock.advance(5_000);
    script.watch = () => opened((body) => body.end());
    script.streamed = () =>
      opened((body) => {
        body.event('BOOKMARK', bookmark('10', true));
        body.end();
      });
    last().end();
    await clock.advance(60_000);
    expect(paths().length).toBeLessThan(12);
    expect(logger.messages('error')).toHaveLength(1);
    expect(JSON.stringify(logger.entries.map(({ fields }) => String(fields['error'])))).toContain(
      'very short watch: pods: Unexpected watch close - watch lasted less than a second and no items received',
    );
  });

  it.each<[string, (body: ScriptedStream) => void, string]>([
    ['no JSON', (body) => body.write('{"type":"ADDED",\n'), 'unable to decode an event from the watch stream'],
    ['no event', (body) => body.write('{"a":1}\n'), 'it has no type or no object'],
    ['null', (body) => body.write('null\n'), 'it has no type or no object'],
    ['an unknown type', (body) => body.event('RENAMED', pod('x', '11')), 'unknown type "RENAMED"'],
    ['another kind', (body) => body.event('ADDED', { ...pod('x', '11'), kind: 'Secret' }), 'an object of v1 Secret'],
    ['no metadata', (body) => body.event('ADDED', { apiVersion: 'v1', kind: 'Pod' }), 'no metadata.resourceVersion'],
    [
      'no name',
      (body) => body.event('MODIFIED', { apiVersion: 'v1', kind: 'Pod', metadata: { resourceVersion: '1' } }),
      'no metadata.name',
    ],
    ['an error that is none', (body) => body.event('ERROR', pod('x', '11')), 'holds an object of kind Pod'],
    ['an endless line', (body) => body.write('x'.repeat(33 * 1024 * 1024)), 'larger than'],
  ])('ends a watch with %s, keeps what it knows and tries again later', async (_name, write, message) => {
    const { clock, informer, script, last, logger, opened, streams, seen } = setUp();
    informer.start();
    await clock.advance(2_000);
    last().event('ADDED', pod('a', '11'));
    script.streamed = () =>
      opened((body) => {
        body.event('ADDED', pod('a', '11'));
        body.event('BOOKMARK', bookmark('12', true));
      });
    await clock.advance(0);
    const first = last();
    write(first);
    await clock.advance(700);
    expect([streams.length, first.closed]).toEqual([1, true]);
    expect(logger.messages('error')).toEqual(['Failed to watch; it is tried again']);
    expect(logger.entries.map(({ fields }) => String(fields['error'])).join()).toContain(message);
    expect(informer.list()).toHaveLength(1);
    await clock.advance(2_000);
    last().event('ADDED', pod('b', '13'));
    await clock.advance(0);
    expect(seen).toEqual(['replaced', 'added a', 'replaced', 'added b']);
    expect(logger.messages('info')).toContain('The watch works again');
  });

  it('says a trouble that lasts once, also of a list', async () => {
    const { clock, informer, script, logger } = setUp();
    script.streamed = () => failed(403, 'Forbidden');
    script.list = () => failed(403, 'Forbidden', { message: 'pods is forbidden: no' });
    informer.start();
    await clock.advance(60 * 60_000);
    expect(logger.messages('error')).toEqual(['Failed to watch; it is tried again']);
    const controller = new AbortController();
    const waiting = informer.synced(controller.signal);
    controller.abort();
    await expect(waiting).rejects.toThrow('pods are not known yet: pods is forbidden: no');
  });

  it('does not wait for ever for the end of a list that a server does not stream', async () => {
    const { clock, informer, script, logger, opened, paths } = setUp();
    script.streamed = () => opened((body) => body.event('ADDED', pod('a', '1')));
    script.list = () => ({ body: podList('10', [pod('a', '1')]) });
    informer.start();
    await clock.advance(59_000);
    expect([informer.hasSynced(), logger.messages('warning')]).toEqual([false, ['Event bookmark expired']]);
    await clock.advance(11_000);
    expect(informer.hasSynced()).toBe(true);
    expect(paths().slice(1)).toEqual(['/api/v1/pods?limit=500&resourceVersion=0', watchFrom('10')]);
  });

  it('does not report what is the same after a new list', async () => {
    const { clock, informer, script, last, opened, seen } = setUp();
    script.streamed = () =>
      opened((body) => {
        body.event('ADDED', pod('a', '1'));
        body.event('BOOKMARK', bookmark('10', true));
      });
    informer.start();
    await clock.advance(2_000);
    const before = informer.get('ns', 'a');
    last().event('ERROR', failed(410, 'Expired').body);
    await clock.advance(2_000);
    expect(seen).toEqual(['added a', 'replaced', 'replaced']);
    expect(informer.get('ns', 'a')).toBe(before);
  });
});
