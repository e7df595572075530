import { appendFile, chmod, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { OfflineRef } from '@podwright/offline-objects-interface';
import { stateDirectory, type StateDirectory } from './fixtures/contract-harness.js';
import { sealedFileName } from './sealed-file.js';

const refOf = (name: string): OfflineRef => ({ kind: 'Secret', namespace: 'default', name });
const fileOf = ({ directory }: StateDirectory, name: string): string =>
  path.join(directory, sealedFileName(refOf(name)));
const setAside = 'A saved object cannot be read and is set aside; its pod waits for the API server';
const inUse = 'The API server cannot be reached: a saved object is used, which may be out of date';

/** A directory in which a process has saved `a` and `b`. */
async function saved(): Promise<StateDirectory> {
  const state = await stateDirectory();
  const objects = state.create();
  await objects.start();
  for (const name of ['a', 'b']) objects.keep(refOf(name), { data: { password: `of ${name}` } });
  await objects.stop();
  return state;
}
const modeOf = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8);

describe('FileOfflineObjects', () => {
  it('names the option that is out of range', async () => {
    const { create } = await stateDirectory();
    expect(() => create({ offlineAfterMs: -1 })).toThrow('offlineAfterMs');
  });

  it('writes files that only the owner can read, and that show nothing but whose they are', async () => {
    const state = await saved();
    expect(await modeOf(state.directory)).toBe('700');
    const names = await readdir(state.directory);
    expect(names.sort()).toEqual([sealedFileName(refOf('a')), sealedFileName(refOf('b')), 'key'].sort());
    for (const name of names) expect(await modeOf(path.join(state.directory, name))).toBe('600');
    const content = await readFile(fileOf(state, 'a'), 'latin1');
    expect(content).toMatch(/^\{"version":1,"kind":"Secret","namespace":"default","name":"a","savedAtMs":\d+\}\n/);
    expect(content).not.toContain('password');
    expect(state.logger.entries.map((entry) => JSON.stringify(entry)).join()).not.toContain('of a');
  });

  it('makes the files private again that somebody has opened', async () => {
    const state = await saved();
    await chmod(state.directory, 0o755);
    await chmod(path.join(state.directory, 'key'), 0o644);
    const next = state.create();
    await next.start();
    expect([await modeOf(state.directory), await modeOf(path.join(state.directory, 'key'))]).toEqual(['700', '600']);
    expect(state.logger.messages('warning')).toEqual([
      'Others could read the key of the saved objects; only its owner may from now on',
    ]);
    await next.stop();
  });

  it.each<[string, (state: StateDirectory) => Promise<unknown>]>([
    ['another object', (state) => copyFile(fileOf(state, 'b'), fileOf(state, 'a'))],
    [
      'a header that was rewritten',
      async (state) => {
        const content = await readFile(fileOf(state, 'b'), 'latin1');
        await writeFile(fileOf(state, 'a'), content.replace('"name":"b"', '"name":"a"'), 'latin1');
      },
    ],
    ['something added', (state) => appendFile(fileOf(state, 'a'), 'x')],
    ['nothing', (state) => writeFile(fileOf(state, 'a'), '')],
    [
      'its first half',
      async (state) => writeFile(fileOf(state, 'a'), (await readFile(fileOf(state, 'a'))).subarray(0, 80)),
    ],
    ['a directory in its place', async (state) => (await rm(fileOf(state, 'a')), mkdir(fileOf(state, 'a')))],
    [
      'a header of another version',
      async (state) => {
        const content = await readFile(fileOf(state, 'a'), 'latin1');
        await writeFile(fileOf(state, 'a'), content.replace('"version":1', '"version":2'), 'latin1');
      },
    ],
    ['another key', (state) => writeFile(path.join(state.directory, 'key'), Buffer.alloc(32))],
  ])('sets aside a file with %s, until the next start', async (what, damage) => {
    const state = await saved();
    await damage(state);
    const next = state.create();
    await next.start();
    expect(await next.get(refOf('a'))).toBeUndefined();
    expect((await next.list('Secret')).map(({ ref }) => ref.name)).toEqual(what === 'another key' ? [] : ['b']);
    expect(state.logger.messages('error')).toContain(setAside);
    await next.stop();
    const hidden = async (): Promise<boolean> =>
      (await readdir(state.directory)).includes(`.broken-${sealedFileName(refOf('a'))}`);
    expect(await hidden()).toBe(true);
    const later = state.create();
    await later.start();
    await later.stop();
    expect(await hidden()).toBe(false);
  });

  it.each<[string, (file: string) => Promise<unknown>]>([
    ['is missing', (file) => rm(file)],
    ['is too short', (file) => writeFile(file, 'short')],
    ['cannot be read', async (file) => (await rm(file), mkdir(file))],
  ])('keeps nothing and touches nothing while the key %s', async (_what, damage) => {
    const state = await saved();
    await damage(path.join(state.directory, 'key'));
    const before = await readdir(state.directory);
    const next = state.create();
    await next.start();
    next.keep(refOf('a'), {});
    next.forget(refOf('b'));
    await next.flushed();
    expect([await next.get(refOf('a')), next.refs('Secret')]).toEqual([undefined, []]);
    expect(await readdir(state.directory)).toEqual(before);
    expect(state.logger.messages('error')).toEqual([
      'Objects cannot be saved: after a reboot without API server, pods will not start',
    ]);
    await next.stop();
  });

  it('takes the key from another place', async () => {
    const state = await stateDirectory();
    const keyFile = path.join(state.directory, '../elsewhere/node.key');
    for (const read of [undefined, { of: 'a' }]) {
      const objects = state.create({ keyFile });
      await objects.start();
      expect((await objects.get(refOf('a')))?.object).toEqual(read);
      objects.keep(refOf('a'), { of: 'a' });
      await objects.stop();
    }
    expect(await readdir(state.directory)).toEqual([sealedFileName(refOf('a'))]);
    expect(await modeOf(keyFile)).toBe('600');
  });

  it('writes the first copy at once, changes together a little later, and the same content never', async () => {
    const state = await stateDirectory();
    const objects = state.create({ changeDelayMs: 2_000 });
    await objects.start();
    const content = (): Promise<string> => readFile(fileOf(state, 'a'), 'latin1').catch(() => 'none');
    let taken = 0;
    const take = (value: number) => () => ({ value, taken: (taken += 1) > 0 });
    objects.keep(refOf('a'), take(1));
    await state.clock.advance(1);
    const first = await content();
    expect([first === 'none', taken]).toEqual([false, 1]);
    for (let value = 2; value < 10; value++) objects.keep(refOf('a'), take(value));
    await state.clock.advance(1_900);
    expect([await content(), taken]).toEqual([first, 1]);
    await state.clock.advance(200);
    const second = await content();
    expect([second === first, taken]).toEqual([false, 2]);
    objects.keep(refOf('a'), take(9));
    await state.clock.advance(5_000);
    expect([await content(), taken]).toEqual([second, 3]);
    await objects.stop();
    expect(state.clock.pendingTimers).toBe(0);
  });

  it('keeps no object that is too large, nor an older copy of it', async () => {
    const state = await stateDirectory();
    const objects = state.create({ maxObjectBytes: 100, maxBytes: 600 });
    await objects.start();
    objects.keep(refOf('a'), {});
    await objects.flushed();
    for (const times of [100, 101]) {
      objects.keep(refOf('a'), { text: 'x'.repeat(times) });
      await objects.flushed();
    }
    expect([await objects.get(refOf('a')), objects.refs('Secret')]).toEqual([undefined, []]);
    for (const name of ['b', 'c', 'd', 'e']) {
      objects.keep(refOf(name), { text: 'x'.repeat(80) });
      await objects.flushed();
    }
    expect(objects.refs('Secret').map(({ name }) => name)).toEqual(['b', 'c', 'd']);
    expect(state.logger.messages('error')).toEqual(Array(2).fill('An object is too large to be saved'));
    await objects.stop();
  });

  it('says once that the disk refuses, has the content all the same, and tries again', async () => {
    const state = await stateDirectory();
    const objects = state.create();
    await objects.start();
    await mkdir(fileOf(state, 'a'));
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) objects.keep(refOf(name), { of: name });
    await objects.flushed();
    // All others are saved.
    for (const name of ['b', 'f']) expect((await readFile(fileOf(state, name))).length).toBeGreaterThan(80);
    await state.clock.advance(25_000);
    expect((await objects.get(refOf('a')))?.object).toEqual({ of: 'a' });
    expect(state.logger.messages('error')).toEqual(['Objects cannot be saved, trying again']);
    await rm(fileOf(state, 'a'), { recursive: true });
    await state.clock.advance(10_000);
    expect(state.logger.messages('info')).toContain('Objects can be saved again');
    await objects.stop();
    const next = state.create();
    await next.start();
    expect((await next.get(refOf('a')))?.object).toEqual({ of: 'a' });
    await next.stop();
  });

  it('shows in log and metrics what it keeps and which copies are in use', async () => {
    const state = await saved();
    const objects = state.create();
    await objects.start();
    const shown = async (): Promise<readonly string[]> =>
      (await state.metrics.render()).split('\n').filter((line) => /^podwright_offline/.test(line));
    expect(await shown()).toEqual(['podwright_offline_objects{kind="Secret"} 2']);
    objects.use(await objects.list('Secret'));
    objects.use(await objects.list('Secret'));
    expect(state.logger.messages('warning')).toEqual([inUse, inUse]);
    expect(await shown()).toContain('podwright_offline_objects_in_use{kind="Secret"} 2');
    objects.keep(refOf('a'), {});
    expect(state.logger.messages('info')).not.toContain(
      'The API server answers again: no saved object is in use any more',
    );
    objects.forget(refOf('b'));
    await objects.flushed();
    expect(await shown()).toEqual([
      'podwright_offline_objects{kind="Secret"} 1',
      'podwright_offline_objects_in_use{kind="Secret"} 0',
    ]);
    expect(state.logger.messages('info')).toContain('The API server answers again: no saved object is in use any more');
    await objects.stop();
  });

  it('removes what a killed process left of a write', async () => {
    const state = await saved();
    await writeFile(path.join(state.directory, `.${sealedFileName(refOf('c'))}.1-1`), 'half');
    const next = state.create();
    await next.start();
    await next.stop();
    expect((await readdir(state.directory)).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});
