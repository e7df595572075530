import { afterAll, describe, expect, it } from '@jest/globals';
import { describeLocalObjectsContract } from '@podwright/local-objects-interface/contract';
import { createMemoryLogger } from '@podwright/logging';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { chmod, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createFileLocalObjects } from './file-local-objects.module.js';
import { allSettings, createStoreWorld, inWorld, settings, type StoreWorld } from './fixtures/store-world.js';

const worlds: StoreWorld[] = [];
afterAll(() => Promise.all(worlds.map((world) => world.end())));

describeLocalObjectsContract('FileLocalObjects', async () => {
  const world = await createStoreWorld();
  worlds.push(world);
  const localObjects = await world.open();
  return { localObjects, kill: () => world.open(), passTime: (ms) => world.clock.advance(ms) };
});

describe('FileLocalObjects', () => {
  it('names the option that is out of range', () => {
    const deps = { clock: new VirtualClock(), random: createSeededRandom(1), logger: createMemoryLogger() };
    expect(() => createFileLocalObjects(deps, { maxObjects: 0 })).toThrow('maxObjects');
  });

  it(
    'has one file per object that nobody else can read',
    inWorld(async ({ directory, open }) => {
      const store = await open();
      await store.commit([settings('a', { k: '1' }), settings('b')]);
      await store.commit([{ kind: 'Secret', put: { metadata: { namespace: 'kube-system', name: 'key' } } }]);
      expect((await readdir(directory, { recursive: true })).sort()).toEqual([
        ...['configmaps', 'configmaps/default_a.json', 'configmaps/default_b.json', 'pods', 'secrets'],
        ...['secrets/kube-system_key.json', 'version-0000000000001000'],
      ]);
      const text = await readFile(path.join(directory, 'configmaps/default_a.json'), 'utf8');
      expect(JSON.parse(text)).toEqual(store.get('ConfigMap', 'default', 'a'));
      for (const [name, mode] of Object.entries({ '': 0o700, secrets: 0o700, 'secrets/kube-system_key.json': 0o600 }))
        expect((await stat(path.join(directory, name))).mode & 0o777).toBe(mode);
    }),
  );

  it(
    'closes a folder that others could read',
    inWorld(async ({ directory, open }) => {
      await (await open()).stop();
      await chmod(path.join(directory, 'secrets'), 0o755);
      await open();
      expect((await stat(path.join(directory, 'secrets'))).mode & 0o777).toBe(0o700);
    }),
  );

  it(
    'gives random UUIDs',
    inWorld(async ({ open }) => {
      const store = await open();
      const { objects } = await store.commit(['a', 'b', 'c'].map((name) => settings(name)));
      const uids = objects.map(({ metadata }) => metadata?.uid ?? '');
      for (const uid of uids)
        expect(uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(new Set(uids).size).toBe(3);
    }),
  );

  it(
    'sets aside what it cannot use, says so without its content, and uses the rest',
    inWorld(async ({ directory, open, logger }) => {
      const store = await open();
      await store.commit(['good', 'cut', 'typed', 'moved', 'gone'].map((name) => settings(name, { key: 'hunter2' })));
      const folder = path.join(directory, 'configmaps');
      const file = (name: string): string => path.join(folder, `default_${name}.json`);
      await writeFile(file('cut'), (await readFile(file('cut'), 'utf8')).slice(0, -30));
      await writeFile(file('typed'), (await readFile(file('typed'), 'utf8')).replace('"hunter2"', '["hunter2"]'));
      await rename(file('moved'), file('elsewhere'));
      await rename(file('gone'), path.join(directory, 'kept'));
      await symlink(path.join(directory, 'kept'), file('gone'));
      await mkdir(file('folder'));
      await writeFile(
        file('bare'),
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"bare","namespace":"default"}}',
      );
      const bad = ['bare', 'cut', 'elsewhere', 'folder', 'gone', 'typed'];
      logger.clear();
      const next = await open();
      expect(allSettings(next)).toEqual({ good: { key: 'hunter2' } });
      expect((await readdir(folder)).sort()).toEqual(
        ['default_good.json', ...bad.map((name) => `default_${name}.json.corrupt`)].sort(),
      );
      const said = logger.entries.filter(({ severity }) => severity === 'error');
      expect(said.map(({ fields }) => fields?.['file']).sort()).toEqual(bad.map(file));
      expect(JSON.stringify(said.map(({ message, fields }) => [message, String(fields?.['error'])]))).not.toMatch(
        /hunter/,
      );
      await next.commit([settings('cut', { key: 'new' })]);
      logger.clear();
      expect(allSettings(await open())).toEqual({ good: { key: 'hunter2' }, cut: { key: 'new' } });
      expect(logger.messages('error')).toEqual([]);
    }),
  );

  it(
    'leaves files of others alone, and keeps fields that it does not know',
    inWorld(async ({ directory, open, logger }) => {
      const store = await open();
      await store.commit([settings('a', { k: '1' })]);
      const folder = path.join(directory, 'configmaps');
      for (const name of ['notes.txt', '.hidden', 'default_b.json.bak']) await writeFile(path.join(folder, name), 'x');
      const file = path.join(folder, 'default_a.json');
      await writeFile(file, (await readFile(file, 'utf8')).replace('"data"', '"later":{"a":1},"data"'));
      const next = await open();
      expect(allSettings(next)).toEqual({ a: { k: '1' } });
      expect(next.get('ConfigMap', 'default', 'a')).toMatchObject({ later: { a: 1 } });
      expect((await readdir(folder)).length).toBe(4);
      expect(logger.messages('warning')).toEqual(
        Array(3).fill('A file among the local objects is none of them and is left alone'),
      );
    }),
  );

  it(
    'goes on from the highest version of an object when its own record is lost, and says so',
    inWorld(async ({ directory, open, logger }) => {
      const store = await open();
      const { resourceVersion } = await store.commit([settings('a')]);
      await rename(path.join(directory, 'version-0000000000001000'), path.join(directory, 'lost'));
      const next = await open();
      expect(next.list('ConfigMap').resourceVersion).toBe(String(Number(resourceVersion) + 1000));
      expect(logger.messages('error')).toEqual([expect.stringContaining('The version of the local objects is lost')]);
    }),
  );

  it(
    'has limits, and says which',
    inWorld(async ({ open, logger }) => {
      const store = await open({ maxObjects: 2, maxBytes: 1000 });
      await store.commit([settings('a')]);
      const tooMany = store.commit([settings('b'), settings('c')]);
      await expect(tooMany).rejects.toMatchObject({
        code: 'resource-exhausted',
        message: 'the store would have 3 objects, but may have 2 (maxObjects)',
      });
      const tooLarge = store.commit([settings('a', { k: 'x'.repeat(1000) })]);
      await expect(tooLarge).rejects.toMatchObject({
        code: 'resource-exhausted',
        message: expect.stringMatching(/^the store would have \d+ bytes, but may have 1000 \(maxBytes\)$/),
      });
      expect(allSettings(store)).toEqual({ a: {} });
      await store.commit([settings('b'), { kind: 'ConfigMap', remove: { namespace: 'default', name: 'a' } }]);
      await store.commit([settings('c')]);
      // Fewer than there are: what is there stays, and can become less.
      const smaller = await open({ maxObjects: 1, maxBytes: 10 });
      expect(Object.keys(allSettings(smaller))).toEqual(['b', 'c']);
      await smaller.commit([{ kind: 'ConfigMap', remove: { namespace: 'default', name: 'b' } }]);
      expect(logger.messages('error')).toEqual([]);
    }),
  );

  it(
    'remembers a thousand changes, but not more bytes than they may have',
    inWorld(async ({ open }) => {
      const store = await open();
      const start = store.list('ConfigMap').resourceVersion;
      await store.commit([...Array(1000).keys()].map((index) => settings('a', { k: String(index) })));
      expect(store.since('ConfigMap', start)?.length).toBe(1000);
      await store.commit([settings('b')]);
      expect(store.since('ConfigMap', start)).toBeUndefined();
      expect(store.since('ConfigMap', String(Number(start) + 1))?.length).toBe(1000);
      const { resourceVersion } = await store.commit([settings('b', { k: 'x'.repeat(9 * 2 ** 20) })]);
      await store.commit([settings('b', { k: 'y'.repeat(9 * 2 ** 20) })]);
      expect(store.since('ConfigMap', resourceVersion)?.length).toBe(1);
      expect(store.since('ConfigMap', String(Number(resourceVersion) - 1))).toBeUndefined();
    }),
  );

  it(
    'does not start where it cannot make its folders',
    inWorld(async ({ directory, open }) => {
      await writeFile(directory, '');
      await expect(open()).rejects.toThrow('EEXIST');
    }),
  );
});
