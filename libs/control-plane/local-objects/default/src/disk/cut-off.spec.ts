import { describe, expect, it } from '@jest/globals';
import type { LocalTransaction } from '@podwright/local-objects-interface';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { faultyDisk } from '../fixtures/faulty-disk.js';
import { allSettings, createStoreWorld, inWorld, settings } from '../fixtures/store-world.js';
import { kindOfFile } from './object-file-name.js';

const removal = (name: string): LocalTransaction[number] => ({
  kind: 'ConfigMap',
  remove: { namespace: 'default', name },
});
const before = { old: { k: '1' }, gone: { k: '1' } };
const deadDisk = new Error('the process is dead');

const transactions: Record<string, { readonly transaction: LocalTransaction; readonly after: object }> = {
  'one new object': { transaction: [settings('new', { k: '2' })], after: { ...before, new: { k: '2' } } },
  'one changed object': { transaction: [settings('old', { k: '2' })], after: { ...before, old: { k: '2' } } },
  'one removed object': { transaction: [removal('gone')], after: { old: { k: '1' } } },
  'several objects': {
    transaction: [settings('new', { k: '2' }), settings('old', { k: '2' }), removal('gone'), settings('other')],
    after: { new: { k: '2' }, old: { k: '2' }, other: {} },
  },
};

// At each step in turn, the process ends before it or in the middle of it.
describe.each(Object.entries(transactions))('an end amid a commit of %s', (_what, { transaction, after }) => {
  it.each(['kill', 'power cut'])(
    'by a %s leaves all of it or nothing, and all of it if it was answered',
    async (end) => {
      const outcomes: string[] = [];
      for (let last = 0, all = Infinity; last <= all; last += 1) {
        const world = await createStoreWorld();
        const first = await world.open();
        await first.commit([settings('old', { k: '1' }), settings('gone', { k: '1' })]);
        await first.stop();

        let armed = false;
        let done = 0;
        const disk = faultyDisk(() => (armed && done++ >= last ? deadDisk : undefined));
        const dying = await world.open({}, disk);
        armed = true;
        const answer = await dying.commit(transaction).then(
          () => 'answered',
          () => 'not answered',
        );
        outcomes.push(answer);
        if (done <= last) all = last;
        const { resourceVersion } = dying.list('ConfigMap');
        if (end === 'power cut') await disk.cutPower();

        const next = await world.open();
        const found = allSettings(next);
        expect([before, after]).toContainEqual(found);
        // A transaction that counts is answered even if its process cannot go on; one that is refused is not there.
        if (answer === 'answered') expect(found).toEqual(after);
        expect(Number(next.list('ConfigMap').resourceVersion)).toBeGreaterThanOrEqual(Number(resourceVersion));
        const folder = path.join(world.directory, 'configmaps');
        expect((await readdir(folder)).map(kindOfFile)).toEqual(Object.keys(found).map(() => 'object'));
        expect((await readdir(world.directory)).sort()).toEqual([
          ...['configmaps', 'pods', 'secrets', expect.stringMatching(/^version-\d{16}$/)],
        ]);
        // A second end of a process at once, and a commit on what it has left.
        await next.commit([settings('last', { k: '3' })]);
        expect(allSettings(await world.open())).toEqual({ ...found, last: { k: '3' } });
        await world.end();
      }
      expect(outcomes.length).toBeGreaterThan(3);
    },
  );
});

it(
  'does a transaction once: what comes after it stays, also after a power cut',
  inWorld(async (world) => {
    const disk = faultyDisk(() => undefined);
    const store = await world.open({}, disk);
    await store.commit([settings('a'), settings('b')]);
    await store.commit([removal('a'), settings('b', { k: '1' })]);
    await store.commit([settings('a', { k: '2' })]);
    await disk.cutPower();
    expect(allSettings(await world.open())).toEqual({ a: { k: '2' }, b: { k: '1' } });
  }),
);
