import { describe, expect, it } from '@jest/globals';
import { eventually } from '@podwright/time';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FileLocalObjects } from '../file-local-objects.js';
import { allSettings, inWorld, settings, type StoreWorld } from '../fixtures/store-world.js';

const configMap = (name: string, data: string, more = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: ${data}\n${more}`;

interface FolderWorld extends StoreWorld {
  /** Writes a file as an editor should: with a rename. */
  write(name: string, text: string): Promise<void>;
  openWithFolder(): Promise<FileLocalObjects>;
  readonly objectsDir: string;
}

const inFolder = (run: (world: FolderWorld) => Promise<void>): (() => Promise<void>) =>
  inWorld(async (world) => {
    const objectsDir = path.join(world.rootDir, 'objects');
    await mkdir(objectsDir);
    const write = async (name: string, text: string): Promise<void> => {
      await writeFile(path.join(objectsDir, '.new'), text);
      await rename(path.join(objectsDir, '.new'), path.join(objectsDir, name));
    };
    await run({ ...world, write, objectsDir, openWithFolder: () => world.open({ objectsDir }) });
  });

describe('a folder of objects', () => {
  it(
    'is read at the start, with several documents in a file',
    inFolder(async ({ write, openWithFolder, objectsDir, open, logger }) => {
      await write(
        'two.yaml',
        `${configMap('a', '{k: "1"}')}---\n${configMap('b', '{k: "2"}').replace('name: b', 'name: b, namespace: other')}`,
      );
      await write('secret.json', '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"stringData":{"k":"x"}}');
      await write('.hidden', 'no manifest');
      await mkdir(path.join(objectsDir, 'sub'));
      const store = await openWithFolder();
      expect(allSettings(store)).toEqual({ a: { k: '1' }, b: { k: '2' } });
      expect(store.get('Secret', 'default', 's')).toEqual({
        ...{ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', data: { k: 'eA==' } },
        metadata: expect.objectContaining({ namespace: 'default', name: 's', uid: expect.stringContaining('-') }),
      });
      expect(store.originOf('ConfigMap', 'other', 'b')).toBe(path.join(objectsDir, 'two.yaml'));
      expect(store.originOf('ConfigMap', 'default', 'b')).toBeUndefined();
      expect(logger.messages('error')).toEqual([expect.stringMatching(/sub is no regular file$/)]);
      // It is not copied into the store.
      expect(allSettings(await open())).toEqual({});
    }),
  );

  it(
    'is followed as it changes, and tells watchers',
    inFolder(async ({ write, openWithFolder, objectsDir, clock }) => {
      await write('a.yaml', configMap('a', '{k: "1"}'));
      const store = await openWithFolder();
      const uid = store.get('ConfigMap', 'default', 'a')?.metadata?.uid;
      const seen: string[] = [];
      store.watch(({ type, object }) => seen.push(`${type} ${object.metadata?.name ?? ''}`));
      const comes = async (change: string): Promise<void> => {
        await eventually(async () => {
          await clock.advance(15);
          return seen.includes(change);
        });
      };
      await write('a.yaml', configMap('a', '{k: "2"}'));
      await comes('MODIFIED a');
      expect(store.get('ConfigMap', 'default', 'a')?.metadata?.uid).toBe(uid);
      await write('b.yaml', configMap('b', '{}'));
      await comes('ADDED b');
      await rm(path.join(objectsDir, 'a.yaml'));
      await comes('DELETED a');
      expect(allSettings(store)).toEqual({ b: {} });
      expect(seen).toEqual(['MODIFIED a', 'ADDED b', 'DELETED a']);
    }),
  );

  it(
    'is read each period when events are missing, and may come later',
    inWorld(async ({ rootDir, open, clock, logger }) => {
      const objectsDir = path.join(rootDir, 'later');
      const store = await open({ objectsDir });
      await clock.advance(19_000);
      expect(logger.messages('error')).toEqual([expect.stringContaining('does not exist')]);
      await mkdir(objectsDir);
      await writeFile(path.join(objectsDir, 'a.yaml'), configMap('a', '{}'));
      await clock.advance(20_000);
      expect(allSettings(store)).toEqual({ a: {} });
      await store.stop();
      expect(clock.pendingTimers).toBe(0);
    }),
  );

  it(
    'keeps what a file had when it becomes bad, and says once what is wrong',
    inFolder(async ({ write, openWithFolder, clock, logger, objectsDir }) => {
      await write('a.yaml', configMap('a', '{k: "1"}'));
      const store = await openWithFolder();
      const file = path.join(objectsDir, 'a.yaml');
      const faults: Record<string, string> = {
        'kind: Pod\napiVersion: v1\n': `${file}: kind: expected ConfigMap or Secret, got "Pod" (string)`,
        '{': `${file}: `,
        [`${configMap('a', '{k: "2"}')}---\n${configMap('UPPER', '{}')}`]: `${file}: document 2: metadata.name: Invalid value`,
        [configMap('a', '{k: 2}')]: `${file}: data[k]: expected string, got 2 (number)`,
        [configMap('a', '{"k/": "2"}')]: `${file}: data[k/]: Invalid value`,
      };
      for (const [text, fault] of Object.entries(faults)) {
        logger.clear();
        await write('a.yaml', text);
        await clock.advance(40_000);
        expect(logger.messages('error')).toEqual([
          expect.stringContaining(`A manifest of local objects is not used: ${fault}`),
        ]);
        expect(allSettings(store)).toEqual({ a: { k: '1' } });
      }
      await write('a.yaml', configMap('a', '{k: "3"}'));
      await clock.advance(20_000);
      expect(allSettings(store)).toEqual({ a: { k: '3' } });
    }),
  );

  it(
    'lets nobody change its objects through the store',
    inFolder(async ({ write, openWithFolder, objectsDir }) => {
      await write('a.yaml', configMap('a', '{k: "1"}'));
      const store = await openWithFolder();
      const refusal = {
        code: 'failed-precondition',
        message: `configmaps "a" is read-only, because it comes from ${path.join(objectsDir, 'a.yaml')}`,
      };
      await expect(store.commit([settings('b'), settings('a', { k: '2' })])).rejects.toMatchObject(refusal);
      const removal = store.commit([{ kind: 'ConfigMap', remove: { namespace: 'default', name: 'a' } }]);
      await expect(removal).rejects.toMatchObject(refusal);
      await expect(store.commit([{ ...settings('a'), mustNotExist: true }])).rejects.toMatchObject({
        code: 'already-exists',
      });
      expect(allSettings(store)).toEqual({ a: { k: '1' } });
    }),
  );

  it(
    'comes after what was put, also after a restart, and takes its place when that goes',
    inFolder(async ({ write, openWithFolder, clock, logger, open, objectsDir }) => {
      await (await open()).commit([settings('a', { k: 'put' })]);
      await write('a.yaml', configMap('a', '{k: "file"}'));
      for (let start = 0; start < 2; start += 1) {
        const store = await openWithFolder();
        expect(allSettings(store)).toEqual({ a: { k: 'put' } });
        expect(store.originOf('ConfigMap', 'default', 'a')).toBeUndefined();
        expect(logger.messages('error').at(-1)).toBe(
          `configmaps "a" of ${path.join(objectsDir, 'a.yaml')} is not used: one of this name was put into the store`,
        );
        await store.stop();
      }
      const store = await openWithFolder();
      await store.commit([settings('a', { k: 'put again' })]);
      await store.commit([{ kind: 'ConfigMap', remove: { namespace: 'default', name: 'a' } }]);
      await clock.advance(1);
      expect(allSettings(store)).toEqual({ a: { k: 'file' } });
    }),
  );

  it(
    'uses the first of two files with the same object, and keeps what is immutable',
    inFolder(async ({ write, openWithFolder, clock, logger, objectsDir }) => {
      await write('a.yaml', configMap('a', '{k: "1"}', 'immutable: true'));
      await write('b.yaml', configMap('a', '{k: "2"}'));
      const store = await openWithFolder();
      expect(allSettings(store)).toEqual({ a: { k: '1' } });
      expect(logger.messages('error')).toEqual([
        `configmaps "a" of ${path.join(objectsDir, 'b.yaml')} is not used: it is in ${path.join(objectsDir, 'a.yaml')}, too`,
      ]);
      await rm(path.join(objectsDir, 'b.yaml'));
      await write('a.yaml', configMap('a', '{k: "2"}', 'immutable: true'));
      logger.clear();
      await clock.advance(20_000);
      expect(allSettings(store)).toEqual({ a: { k: '1' } });
      expect(logger.messages('error')).toEqual([
        `configmaps "a" of ${path.join(objectsDir, 'a.yaml')} is not used: data: Forbidden: field is immutable when \`immutable\` is set`,
      ]);
      await rm(path.join(objectsDir, 'a.yaml'));
      await clock.advance(20_000);
      await write('a.yaml', configMap('a', '{k: "2"}', 'immutable: true'));
      await clock.advance(20_000);
      expect(allSettings(store)).toEqual({ a: { k: '2' } });
    }),
  );

  it(
    'is tried again when the store has no room for it',
    inFolder(async ({ write, open, objectsDir, clock, logger }) => {
      await write('a.yaml', `${configMap('a', '{}')}---\n${configMap('b', '{}')}`);
      const store = await open({ objectsDir, maxObjects: 2 });
      await store.stop();
      const small = await open({ objectsDir, maxObjects: 1 });
      expect(allSettings(small)).toEqual({});
      await clock.advance(40_000);
      expect(logger.messages('error')).toEqual([expect.stringContaining('may have 1 (maxObjects)')]);
      await write('a.yaml', configMap('a', '{}'));
      await clock.advance(20_000);
      expect(allSettings(small)).toEqual({ a: {} });
    }),
  );
});
