import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { LocalApiHarness, podBody, podsPath } from '../fixtures/local-api-harness.js';
import { WatchSession } from '../fixtures/watch-session.js';

let local: LocalApiHarness;
beforeEach(async () => {
  local = await LocalApiHarness.create();
  await local.ask(`PUT ${podsPath}/a`, podBody('a'));
});

const watch = (query: string, headers?: Readonly<Record<string, string>>): Promise<WatchSession> =>
  new WatchSession(local, `/api/v1/pods?watch=true&${query}`, headers).open();
const put = (name: string, spec: object = {}, metadata: object = {}) =>
  local.ask(`PUT ${podsPath}/${name}`, podBody(name, spec, metadata));
const label = (value: string): object => ({ labels: { tier: value } });

describe('a watch', () => {
  it('sends the head of its answer at once', async () => {
    const session = await watch('resourceVersion=1');
    const { status, headers, body } = session.answer ?? {};
    expect([status, headers?.['Content-Type']]).toEqual([200, 'application/json']);
    expect(await (body as AsyncIterable<string>)[Symbol.asyncIterator]().next()).toEqual({ done: false, value: '' });
  });

  it('begins with what there is, and tells of each change', async () => {
    const session = await watch('');
    expect(await session.read(1)).toEqual(['ADDED a@1']);
    await put('b');
    await put('a', {}, label('front'));
    local.setStatus(local.pod('b'), { phase: 'Running' });
    await local.ask(`DELETE ${podsPath}/b?gracePeriodSeconds=0`);
    expect(await session.read(6)).toEqual([
      ...['ADDED a@1', 'ADDED b@2', 'MODIFIED a@3', 'MODIFIED b@2', 'MODIFIED b@4', 'DELETED b@5'],
    ]);
    expect(session.objects[3]).toMatchObject({ kind: 'Pod', status: { phase: 'Running' } });
  });

  it('begins with the changes since a version, and misses no status', async () => {
    await put('b');
    await put('c');
    const { body } = await local.ask('GET /api/v1/pods');
    const { resourceVersion } = body['metadata'] as { readonly resourceVersion: string };
    local.setStatus(local.pod('b'), { phase: 'Running' });
    await put('d');
    const session = await watch(`resourceVersion=${resourceVersion}`);
    expect(await session.read(2)).toEqual(['ADDED d@4', 'MODIFIED b@2']);
    await put('e');
    expect(await session.read(3)).toEqual(['ADDED d@4', 'MODIFIED b@2', 'ADDED e@5']);
  });

  it('of one name hears of no other, also of one whose status before is not known', async () => {
    await put('b');
    local.setStatus(local.pod('b'), { phase: 'Running' });
    const session = await watch('resourceVersion=2&fieldSelector=metadata.name%3Da');
    local.setStatus(local.pod('b'), { phase: 'Failed' });
    await put('a', {}, label('front'));
    expect(await session.read(1)).toEqual(['MODIFIED a@3']);
  });

  it('tells that what a version stands for is no longer known', async () => {
    const session = await watch('resourceVersion=99');
    expect(await session.read(9)).toEqual(['ERROR too old resource version: 99 (1)']);
    expect(session.objects).toMatchObject([{ kind: 'Status', code: 410, reason: 'Expired' }]);
    expect(session.ended).toBe(true);
  });

  it('is of a new pod when the spec changes', async () => {
    const session = await watch('resourceVersion=1');
    await put('a', { hostname: 'other' });
    expect(await session.read(2)).toEqual(['DELETED a@2', 'ADDED a@3']);
  });

  it('follows its selection: what moves into it is new, what moves out is gone', async () => {
    const session = await watch('labelSelector=tier%3Dfront');
    await put('a', {}, label('front'));
    await put('a', {}, label('back'));
    await put('b', {}, label('back'));
    await put('b', {}, label('front'));
    expect(await session.read(3)).toEqual(['ADDED a@2', 'DELETED a@3', 'ADDED b@5']);
  });

  it('follows the phase, and one name', async () => {
    await put('b');
    const running = await watch('fieldSelector=status.phase%3DRunning');
    const b = await watch('fieldSelector=metadata.name%3Db&resourceVersion=2');
    local.setStatus(local.pod('a'), { phase: 'Running' });
    local.setStatus(local.pod('b'), { phase: 'Running' });
    local.setStatus(local.pod('b'), { phase: 'Succeeded' });
    expect(await running.read(3)).toEqual(['ADDED a@1', 'ADDED b@2', 'DELETED b@2']);
    expect(await b.read(2)).toEqual(['MODIFIED b@2', 'MODIFIED b@2']);
  });

  it('is of one namespace', async () => {
    const session = await new WatchSession(local, '/api/v1/namespaces/other/pods?watch=1').open();
    await put('b');
    await local.ask('PUT /api/v1/namespaces/other/pods/c', podBody('c'));
    expect(await session.read(1)).toEqual(['ADDED c@3']);
  });

  it('tells of pods of other sources, which the store does not have', async () => {
    const metadata = {
      namespace: 'default',
      name: 's',
      uid: 'static',
      annotations: { 'kubernetes.io/config.source': 'file' },
    };
    const pod: Pod = { metadata, spec: { containers: [] } };
    const session = await watch('');
    local.others.push(pod);
    local.setStatus(pod, { phase: 'Running' });
    local.setStatus(pod, { phase: 'Running', podIP: '10.0.0.1' });
    local.others.pop();
    local.setStatus(pod, { phase: 'Running' }, true);
    expect(await session.read(4)).toEqual(['ADDED a@1', 'ADDED s@', 'MODIFIED s@', 'DELETED s@']);
    const resumed = await watch('resourceVersion=1');
    expect(await resumed.read(1)).toEqual(['DELETED s@']);
  });

  it('marks the end of its beginning for those who ask', async () => {
    const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const session = await watch(`resourceVersion=1&${initial}`);
    expect(await session.read(2)).toEqual(['ADDED a@1', 'BOOKMARK @1']);
    expect(session.objects[1]).toMatchObject({ metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } });
    const later = await watch('resourceVersion=1&allowWatchBookmarks=true');
    expect(await later.read(1)).toEqual(['BOOKMARK @1']);
  });

  it('ends after its time, after what waits', async () => {
    const session = await watch('timeoutSeconds=10&resourceVersion=1');
    await put('b');
    await local.clock.advance(10_000);
    expect(await session.read(9)).toEqual(['ADDED b@2']);
    expect([session.ended, local.clock.pendingTimers]).toEqual([true, 0]);
  });

  it('leaves nothing behind when its client disconnects', async () => {
    const session = await watch('');
    session.leave();
    await session.read(9);
    expect([session.ended, local.clock.pendingTimers]).toEqual([true, 0]);
  });

  it('tells a client that does not read that it has missed something, and keeps no more than that', async () => {
    const session = await watch('resourceVersion=1');
    for (let index = 0; index < 1_500; index += 1) local.setStatus(local.pod('a'), { phase: 'Running' });
    const seen = await session.read(5_000);
    expect(seen.length).toBe(1_001);
    expect(seen.at(-1)).toBe('ERROR too many changes wait for the client of the watch');
    expect(local.clock.pendingTimers).toBe(0);
  });

  it('keeps no more bytes for it than a few lists', async () => {
    const session = await watch('resourceVersion=1');
    const note = 'x'.repeat(200_000);
    for (let index = 0; index < 60; index += 1)
      await put('a', {}, { annotations: { note }, labels: { n: `${index}` } });
    const seen = await session.read(100);
    expect(seen.length).toBeLessThan(45);
    expect(seen.at(-1)).toBe('ERROR too many changes wait for the client of the watch');
  });

  it('of config maps and secrets is that of the store', async () => {
    const path = '/api/v1/namespaces/default/configmaps/settings';
    await local.ask(`PUT ${path}`, { metadata: { name: 'settings' }, data: { a: '1' } });
    const session = await new WatchSession(local, '/api/v1/configmaps?watch=true&resourceVersion=1').open();
    await put('b');
    await local.ask(`PUT ${path}`, { metadata: { name: 'settings' }, data: { a: '2' } });
    await local.ask(`DELETE ${path}`);
    expect(await session.read(3)).toEqual(['ADDED settings@2', 'MODIFIED settings@4', 'DELETED settings@5']);
  });

  it('shows tables to those who ask, with columns once', async () => {
    const session = await watch('', { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    await put('b');
    await session.read(2);
    expect(session.objects).toMatchObject([
      { kind: 'Table', columnDefinitions: expect.any(Array), rows: [{ cells: expect.arrayContaining(['a']) }] },
      { kind: 'Table', columnDefinitions: null },
    ]);
  });

  it.each([
    ['resourceVersion=x', 400],
    ['labelSelector=%3D%3D', 400],
    ['fieldSelector=spec.x%3D1', 400],
    ['resourceVersionMatch=Exact', 422],
  ])('with %s is refused', async (query, status) => {
    expect(await local.ask(`GET /api/v1/pods?watch=true&${query}`)).toMatchObject({ status, body: { kind: 'Status' } });
  });
});
