import { describe, expect, it } from '@podwright/contract';
import type { ConfigMap, Pod } from '@podwright/kube-types';
import type { LocalObjectChange } from '../local-object.js';
import type { LocalObjects } from '../local-objects.js';
import type { LocalOperation, LocalPut } from '../local-transaction.js';

/** One fresh instance, started and empty, and what it depends on. */
export interface LocalObjectsHarness {
  readonly localObjects: LocalObjects;
  /** Acts like kill -9: abandons the last instance and starts another one on what that has written. */
  kill(): Promise<LocalObjects>;
  /** Advances the clock. */
  passTime(ms: number): Promise<void>;
}

const settings = (name: string, data: Record<string, string> = {}, namespace = 'default'): LocalPut<'ConfigMap'> => ({
  kind: 'ConfigMap',
  put: { metadata: { namespace, name }, data },
});
const pod = (name: string, spec: Partial<Pod['spec']> = {}, metadata: Pod['metadata'] = {}): LocalPut<'Pod'> => ({
  kind: 'Pod',
  put: { metadata: { namespace: 'default', name, ...metadata }, spec: { containers: [{ name: 'app' }], ...spec } },
});
const removal = (kind: LocalOperation['kind'], name: string): LocalOperation => ({
  kind,
  remove: { namespace: 'default', name },
});
const dataOf = (localObjects: LocalObjects, name: string): ConfigMap['data'] =>
  localObjects.get('ConfigMap', 'default', name)?.data;
const versionOf = (localObjects: LocalObjects): number => Number(localObjects.list('Pod').resourceVersion);
const told = ({ type, kind, object, resourceVersion }: LocalObjectChange): string => {
  expect(object.metadata?.resourceVersion).toBe(resourceVersion);
  return `${type} ${kind} ${object.metadata?.name ?? ''}`;
};

/** Every implementation of {@link LocalObjects} passes this suite; `create` gives a new instance per case. */
export function describeLocalObjectsContract(name: string, create: () => Promise<LocalObjectsHarness>): void {
  describe(`${name} as a LocalObjects`, () => {
    it('has nothing at first', async () => {
      const { localObjects } = await create();
      expect(localObjects.get('Pod', 'default', 'web')).toBeUndefined();
      expect(localObjects.originOf('Pod', 'default', 'web')).toBeUndefined();
      expect(localObjects.list('Pod')).toEqual({ items: [], resourceVersion: '1' });
      await localObjects.stop();
    });

    it('stores an object as it is, with the metadata that are the store’s', async () => {
      const { localObjects, kill } = await create();
      const given = { uid: 'mine', resourceVersion: '77', generation: 9, creationTimestamp: '2020-01-01T00:00:00Z' };
      const labels = { app: 'web' };
      const { objects } = await localObjects.commit([pod('web', { nodeName: 'n' }, { ...given, labels })]);
      const stored = localObjects.get('Pod', 'default', 'web');
      expect(stored).toEqual({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          ...{ namespace: 'default', name: 'web', labels, generation: 1 },
          uid: expect.stringMatching(/^(?!mine)./),
          resourceVersion: localObjects.list('Pod').resourceVersion,
          creationTimestamp: expect.stringMatching(/^(?!2020)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        },
        spec: { nodeName: 'n', containers: [{ name: 'app' }] },
      });
      expect(objects).toEqual([stored]);
      const next = await kill();
      expect(next.get('Pod', 'default', 'web')).toEqual(stored);
      expect(next.list('Pod').items).toEqual([stored]);
      await next.stop();
    });

    it('keeps kinds and namespaces apart', async () => {
      const { localObjects, kill } = await create();
      await localObjects.commit([settings('a', { k: '1' }), settings('a', { k: '2' }, 'other')]);
      await localObjects.commit([{ kind: 'Secret', put: { metadata: { namespace: 'default', name: 'a' } } }]);
      const next = await kill();
      expect(dataOf(next, 'a')).toEqual({ k: '1' });
      expect(next.get('ConfigMap', 'other', 'a')?.data).toEqual({ k: '2' });
      expect(next.get('Secret', 'default', 'a')?.kind).toBe('Secret');
      expect(next.get('Pod', 'default', 'a')).toBeUndefined();
      expect(next.list('Secret').items.length).toBe(1);
    });

    it('replaces an object: its UID and time stay, its version grows', async () => {
      const { localObjects, kill, passTime } = await create();
      const first = (await localObjects.commit([settings('a', { k: '1' })])).objects[0];
      await passTime(5_000);
      const second = (await localObjects.commit([settings('a', { k: '2' })])).objects[0];
      expect(second?.metadata).toEqual({ ...first?.metadata, resourceVersion: second?.metadata?.resourceVersion });
      expect(Number(second?.metadata?.resourceVersion)).toBeGreaterThan(Number(first?.metadata?.resourceVersion));
      expect((await kill()).get('ConfigMap', 'default', 'a')).toEqual({ ...second, data: { k: '2' } });
    });

    it('does not count a put that changes nothing', async () => {
      const { localObjects } = await create();
      const first = await localObjects.commit([settings('a', { divisor: '1', k: '2' })]);
      const same = await localObjects.commit([settings('a', { k: '2', divisor: '1' })]);
      expect(same).toEqual({ objects: first.objects, changes: [], resourceVersion: first.resourceVersion });
      const other = await localObjects.commit([settings('a', { divisor: '1000m', k: '2' })]);
      expect(other.changes.map(told)).toEqual(['MODIFIED ConfigMap a']);
    });

    it('counts the generations of a pod: its specs, and the beginning of its end', async () => {
      const { localObjects } = await create();
      const put = async (...given: Parameters<typeof pod>): Promise<number | undefined> =>
        (await localObjects.commit([pod(...given)])).objects[0]?.metadata?.generation;
      const deletionTimestamp = '2026-01-01T00:00:00Z';
      expect(await put('web')).toBe(1);
      expect(await put('web', {}, { labels: { a: 'b' } })).toBe(1);
      expect(await put('web', { nodeName: 'n' })).toBe(2);
      expect(await put('web', { nodeName: 'n' }, { deletionTimestamp })).toBe(3);
      expect(await put('web', { nodeName: 'n' }, { deletionTimestamp, labels: { a: 'b' } })).toBe(3);
      expect((await localObjects.commit([settings('a')])).objects[0]?.metadata?.generation).toBeUndefined();
    });

    it('removes an object for good, and makes a new one of that name', async () => {
      const { localObjects, kill } = await create();
      const [first] = (await localObjects.commit([settings('a', { k: '1' }), settings('b')])).objects;
      const { objects, resourceVersion } = await localObjects.commit([removal('ConfigMap', 'a')]);
      expect(objects).toEqual([{ ...first, metadata: { ...first?.metadata, resourceVersion } }]);
      expect(localObjects.get('ConfigMap', 'default', 'a')).toBeUndefined();
      const next = await kill();
      expect(next.list('ConfigMap').items.map(({ metadata }) => metadata?.name)).toEqual(['b']);
      const [again] = (await next.commit([settings('a', { k: '1' })])).objects;
      expect(again?.metadata?.uid).not.toBe(first?.metadata?.uid);
      expect((await kill()).get('ConfigMap', 'default', 'a')).toEqual(again);
    });

    it.each<[string, Partial<LocalOperation>, string, string]>([
      ['a put that must be new', { mustNotExist: true }, 'already-exists', 'configmaps "a" already exists'],
      [
        'a put over a version',
        { expectedResourceVersion: '999' },
        'aborted',
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
      ],
      [
        'a put over a UID',
        { expectedUid: 'other' },
        'aborted',
        'Operation cannot be fulfilled on configmaps "a": Precondition failed: UID in precondition: other, UID in object meta: ',
      ],
      [
        'a removal of a UID',
        { remove: { namespace: 'default', name: 'a' }, expectedUid: 'other' },
        'aborted',
        'Operation cannot be fulfilled on configmaps "a": Precondition failed: UID in precondition: other, UID in object meta: ',
      ],
      [
        'a removal of a version',
        { remove: { namespace: 'default', name: 'a' }, expectedResourceVersion: '999' },
        'aborted',
        'Operation cannot be fulfilled on configmaps "a": Precondition failed: ResourceVersion in precondition: 999, ResourceVersion in object meta: ',
      ],
      [
        'a removal of an unknown object',
        { remove: { namespace: 'default', name: 'b' } },
        'not-found',
        'configmaps "b" not found',
      ],
      [
        'a put over a version of an unknown object',
        { put: settings('b').put, expectedResourceVersion: '1' },
        'not-found',
        'configmaps "b" not found',
      ],
      [
        'a put without a name',
        { put: { metadata: { namespace: 'default' } } },
        'invalid-argument',
        'metadata.name: Required value',
      ],
      [
        'a put without a namespace',
        { put: { metadata: { name: 'b' } } },
        'invalid-argument',
        'metadata.namespace: Required value',
      ],
    ])('refuses %s, and all of its transaction', async (_what, operation, code, message) => {
      const { localObjects, kill } = await create();
      const { objects, resourceVersion } = await localObjects.commit([settings('a', { k: '1' })]);
      const refused = { ...('remove' in operation ? { kind: 'ConfigMap' } : settings('a')), ...operation };
      const transaction = [settings('new'), settings('a', { k: '2' }), refused as LocalOperation];
      const error: unknown = await localObjects.commit(transaction).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
      expect(localObjects.list('ConfigMap')).toEqual({ items: objects, resourceVersion });
      expect((await kill()).list('ConfigMap').items).toEqual(objects);
    });

    it('lets an operation pass whose condition holds', async () => {
      const { localObjects } = await create();
      const [first] = (await localObjects.commit([{ ...settings('a'), mustNotExist: true }])).objects;
      const { uid: expectedUid = '', resourceVersion: expectedResourceVersion = '' } = first?.metadata ?? {};
      await localObjects.commit([{ ...settings('a', { k: '2' }), expectedUid, expectedResourceVersion }]);
      await localObjects.commit([{ ...removal('ConfigMap', 'a'), expectedUid }]);
      expect(localObjects.list('ConfigMap').items).toEqual([]);
    });

    it('carries out operations in their order', async () => {
      const { localObjects, kill } = await create();
      const [first] = (await localObjects.commit([settings('a', { k: '1' }), settings('b')])).objects;
      const { changes, objects } = await localObjects.commit([
        settings('a', { k: '2' }),
        removal('ConfigMap', 'a'),
        { ...settings('a', { k: '3' }), mustNotExist: true },
        settings('c'),
        removal('ConfigMap', 'c'),
        removal('ConfigMap', 'b'),
      ]);
      expect(changes.map(told)).toEqual([
        'MODIFIED ConfigMap a',
        'DELETED ConfigMap a',
        'ADDED ConfigMap a',
        'ADDED ConfigMap c',
        'DELETED ConfigMap c',
        'DELETED ConfigMap b',
      ]);
      expect(changes.map(({ previous }) => previous)).toEqual([
        first,
        objects[0],
        undefined,
        undefined,
        objects[3],
        expect.objectContaining({ kind: 'ConfigMap' }),
      ]);
      expect(objects[2]?.metadata?.uid).not.toBe(first?.metadata?.uid);
      for (const store of [localObjects, await kill()]) {
        expect(store.list('ConfigMap').items).toEqual([objects[2]]);
      }
    });

    it('shows a function the state that its transaction will change', async () => {
      const { localObjects } = await create();
      const increment = (): readonly LocalOperation[] => [
        settings('count', { n: String(Number(dataOf(localObjects, 'count')?.['n'] ?? 0) + 1) }),
      ];
      await Promise.all([...Array(20).keys()].map(() => localObjects.commit(increment)));
      expect(dataOf(localObjects, 'count')).toEqual({ n: '20' });
      const refusal = new Error('not now');
      const refused = localObjects.commit(() => {
        throw refusal;
      });
      await expect(refused).rejects.toBe(refusal);
      await localObjects.commit(increment);
      expect(dataOf(localObjects, 'count')).toEqual({ n: '21' });
    });

    it('lets one of two writers win who have read the same version', async () => {
      const { localObjects } = await create();
      const { resourceVersion: expectedResourceVersion } = await localObjects.commit([settings('a')]);
      const puts = ['1', '2'].map((k) => localObjects.commit([{ ...settings('a', { k }), expectedResourceVersion }]));
      const [first, second] = await Promise.allSettled(puts);
      expect([first?.status, second]).toMatchObject(['fulfilled', { reason: { code: 'aborted' } }]);
      expect(dataOf(localObjects, 'a')).toEqual({ k: '1' });
    });

    it('shows nothing before it is sure to stay', async () => {
      const { localObjects } = await create();
      const commit = localObjects.commit([settings('a'), settings('b')]);
      expect(localObjects.list('ConfigMap').items).toEqual([]);
      await commit;
      expect(localObjects.list('ConfigMap').items.length).toBe(2);
    });

    it('never gives a version twice, whatever is removed or killed', async () => {
      const { localObjects, kill } = await create();
      await localObjects.commit([settings('a')]);
      const { resourceVersion } = await localObjects.commit([removal('ConfigMap', 'a')]);
      expect(versionOf(localObjects)).toBe(Number(resourceVersion));
      const next = await kill();
      expect(versionOf(next)).toBeGreaterThanOrEqual(Number(resourceVersion));
      const again = await next.commit([settings('a')]);
      expect(Number(again.objects[0]?.metadata?.resourceVersion)).toBeGreaterThan(Number(resourceVersion));
      expect(versionOf(await kill())).toBeGreaterThanOrEqual(Number(again.resourceVersion));
    });

    it('lists in the order of creation, then by namespace and name', async () => {
      const { localObjects, kill, passTime } = await create();
      await localObjects.commit([settings('z')]);
      await passTime(1_000);
      await localObjects.commit([settings('b'), settings('a'), settings('c', {}, 'a')]);
      await localObjects.commit([settings('z', { k: '1' })]);
      for (const store of [localObjects, await kill()]) {
        const names = store.list('ConfigMap').items.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`);
        expect(names).toEqual(['default/z', 'a/c', 'default/a', 'default/b']);
      }
    });

    it('tells watchers of each change, when all of the transaction can be seen', async () => {
      const { localObjects } = await create();
      const seen: string[] = [];
      const unwatch = localObjects.watch((change) => {
        seen.push(`${told(change)}, ${localObjects.list('ConfigMap').items.length} there`);
      });
      await localObjects.commit([settings('a'), settings('b')]);
      await localObjects.commit([settings('a')]);
      await localObjects.commit([settings('c'), removal('Pod', 'unknown')]).catch(() => undefined);
      await localObjects.commit([removal('ConfigMap', 'a')]);
      unwatch();
      await localObjects.commit([settings('d')]);
      expect(seen).toEqual([
        'ADDED ConfigMap a, 2 there',
        'ADDED ConfigMap b, 2 there',
        'DELETED ConfigMap a, 1 there',
      ]);
    });

    it('knows the latest changes of a kind after a version', async () => {
      const { localObjects, kill } = await create();
      const start = localObjects.list('Pod').resourceVersion;
      const { resourceVersion } = await localObjects.commit([settings('a'), pod('web')]);
      const last = await localObjects.commit([settings('b'), removal('ConfigMap', 'a')]);
      expect(localObjects.since('ConfigMap', start)?.map(told)).toEqual([
        'ADDED ConfigMap a',
        'ADDED ConfigMap b',
        'DELETED ConfigMap a',
      ]);
      expect(localObjects.since('ConfigMap', resourceVersion)).toEqual(last.changes);
      expect(localObjects.since('Pod', resourceVersion)).toEqual([]);
      expect(localObjects.since('ConfigMap', last.resourceVersion)).toEqual([]);
      for (const version of [String(Number(last.resourceVersion) + 1), '0', '', 'x', '-1'])
        expect(localObjects.since('ConfigMap', version)).toBeUndefined();
      const next = await kill();
      expect(next.since('ConfigMap', start)).toBeUndefined();
      expect(next.since('ConfigMap', next.list('ConfigMap').resourceVersion)).toEqual([]);
    });

    it.each([
      ['../../escape', '../../escape'],
      ['.hidden', '..'],
      ['n'.repeat(63), `${'m'.repeat(252)}x`],
      ['UPPER', 'a_b/c\\d%2F\u0000ünï\n'],
      ['constructor', '__proto__'],
      ['a_b', '_c'],
    ])('takes the namespace %j and the name %j', async (namespace, object) => {
      const { localObjects, kill } = await create();
      const names = [
        [namespace, object],
        [namespace, `${object.slice(0, -1)}y`],
        [`${namespace}_`, object],
      ] as const;
      for (const [index, [space, other]] of names.entries())
        await localObjects.commit([settings(other, { k: String(index) }, space)]);
      const next = await kill();
      for (const [index, [space, other]] of names.entries())
        expect(next.get('ConfigMap', space, other)?.data).toEqual({ k: String(index) });
      expect(next.list('ConfigMap').items).toEqual(localObjects.list('ConfigMap').items);
      await next.commit([{ kind: 'ConfigMap', remove: { namespace, name: object } }]);
      expect((await kill()).list('ConfigMap').items.length).toBe(2);
    });

    it('keeps values, not objects', async () => {
      const { localObjects } = await create();
      const data = { k: '1' };
      await localObjects.commit([settings('a', data)]);
      data.k = '2';
      expect(dataOf(localObjects, 'a')).toEqual({ k: '1' });
      await localObjects.stop();
    });

    it('can be stopped twice, has then done all commits, and takes no more', async () => {
      const { localObjects, kill } = await create();
      const commits = ['a', 'b', 'c'].map((object) => localObjects.commit([settings(object)]));
      await localObjects.stop();
      await localObjects.stop();
      await expect(localObjects.commit([settings('late')])).rejects.toMatchObject({ code: 'unavailable' });
      expect((await kill()).list('ConfigMap').items.length).toBe(3);
      await Promise.all(commits);
    });
  });
}
