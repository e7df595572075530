import { describe, expect, it } from '@jest/globals';
import type { LocalTransaction } from '@podwright/local-objects-interface';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { faultyDisk } from '../fixtures/faulty-disk.js';
import { allSettings, createStoreWorld, inWorld, settings } from '../fixtures/store-world.js';
import { kindOfFile } from './object-file-name.js';

const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
const broken = Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
const before = { a: { k: '1' }, b: { k: '1' } };
const some: LocalTransaction = [
  settings('a', { k: '2' }),
  settings('c', { k: '2' }),
  { kind: 'ConfigMap', remove: { namespace: 'default', name: 'b' } },
];

/** A store with two objects, on a disk that does as it is told from the next commit on. */
async function createFailing(world: Awaited<ReturnType<typeof createStoreWorld>>) {
  let refuse: (step: string) => Error | undefined = () => undefined;
  const disk = faultyDisk((_index, step) => refuse(step));
  const store = await world.open({}, disk);
  await store.commit([settings('a', { k: '1' }), settings('b', { k: '1' })]);
  const changes: string[] = [];
  store.watch(({ object }) => changes.push(object.metadata?.name ?? ''));
  return { store, disk, changes, setRefusal: (next: typeof refuse) => void (refuse = next) };
}

describe('a full disk', () => {
  it.each<[string, LocalTransaction]>([
    ['one object', [settings('a', { k: '2' })]],
    ['several objects', some],
  ])('refuses %s and leaves all as it was', async (_what, transaction) => {
    const world = await createStoreWorld();
    const { store, changes, setRefusal } = await createFailing(world);
    const { resourceVersion } = store.list('ConfigMap');
    setRefusal((step) => (step.startsWith('write') ? full : undefined));
    await expect(store.commit(transaction)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the disk refuses to write: no space left on device',
      cause: full,
    });
    expect(allSettings(store)).toEqual(before);
    expect(store.list('ConfigMap').resourceVersion).toBe(resourceVersion);
    expect(changes).toEqual([]);
    const names = await readdir(path.join(world.directory, 'configmaps'));
    expect(names.map(kindOfFile)).toEqual(['object', 'object']);
    expect(allSettings(await world.open())).toEqual(before);
    setRefusal(() => undefined);
    await store.commit(some);
    expect(allSettings(await world.open())).toEqual({ a: { k: '2' }, c: { k: '2' } });
    await world.end();
  });

  it(
    'lets objects be removed, also by the next process',
    inWorld(async (world) => {
      const { store, setRefusal } = await createFailing(world);
      setRefusal((step) => (step.startsWith('write') ? full : undefined));
      await store.commit([{ kind: 'ConfigMap', remove: { namespace: 'default', name: 'a' } }]);
      const next = await world.open(
        {},
        faultyDisk((_index, step) => (step.startsWith('write') ? full : undefined)),
      );
      await next.commit([{ kind: 'ConfigMap', remove: { namespace: 'default', name: 'b' } }]);
      expect(allSettings(await world.open())).toEqual({});
    }),
  );
});

describe('a disk that fails in one step', () => {
  // Each step in turn; what cleans up after it works.
  it.each<[string, LocalTransaction, object]>([
    ['one object', [settings('a', { k: '2' })], { ...before, a: { k: '2' } }],
    ['one new object', [settings('c', { k: '2' })], { ...before, c: { k: '2' } }],
    ['several objects', some, { a: { k: '2' }, c: { k: '2' } }],
  ])('refuses %s as a whole, or does it as a whole', async (_what, transaction, after) => {
    const answers: string[] = [];
    for (let failing = 0; ; failing += 1) {
      const world = await createStoreWorld();
      const { store, setRefusal } = await createFailing(world);
      let count = 0;
      setRefusal(() => (count++ === failing ? broken : undefined));
      const answer = await store.commit(transaction).then(
        () => 'done',
        () => 'refused',
      );
      answers.push(answer);
      const steps = count;
      setRefusal(() => undefined);
      const expected = answer === 'done' ? after : before;
      expect(allSettings(store)).toEqual(expected);
      expect(allSettings(await world.open())).toEqual(expected);
      await store.commit([settings('last')]);
      expect(allSettings(await world.open())).toEqual({ ...expected, last: {} });
      await world.end();
      if (steps <= failing) break;
    }
    expect(answers).toContain('refused');
  });

  it(
    'takes a refused change back before it does another one',
    inWorld(async (world) => {
      const { store, setRefusal, disk } = await createFailing(world);
      setRefusal((step) => (step === 'sync configmaps' ? broken : undefined));
      for (const name of ['a', 'new'])
        await expect(store.commit([settings(name, { k: '2' })])).rejects.toThrow(
          'the disk refuses to write: input/output error',
        );
      expect(allSettings(store)).toEqual(before);
      const count = disk.steps.length;
      setRefusal(() => undefined);
      await store.commit([settings('b', { k: '2' })]);
      expect(disk.steps.slice(count, count + 3)).toEqual([
        ...['write .default_a.json.0', 'rename .default_a.json.0 default_a.json', 'sync configmaps'],
      ]);
      expect(allSettings(await world.open())).toEqual({ ...before, b: { k: '2' } });
    }),
  );

  it(
    'does what counts already before it does another transaction',
    inWorld(async (world) => {
      const { store, setRefusal } = await createFailing(world);
      setRefusal((step) => (step.startsWith('rename .default_') ? broken : undefined));
      await store.commit(some);
      expect(allSettings(store)).toEqual({ a: { k: '2' }, c: { k: '2' } });
      await expect(store.commit([settings('a', { k: '3' })])).rejects.toThrow('input/output error');
      expect(world.logger.messages('error')).toEqual([
        expect.stringContaining('A transaction is safe, but not applied'),
      ]);
      expect(allSettings(await world.open())).toEqual({ a: { k: '2' }, c: { k: '2' } });
      setRefusal(() => undefined);
      await store.commit([settings('a', { k: '3' })]);
      expect(allSettings(await world.open())).toEqual({ a: { k: '3' }, c: { k: '2' } });
    }),
  );
});
