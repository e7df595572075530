import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { watchDirectory, type WatchDirectory } from '@podwright/filesystem';
import { RecordingJournal } from '@podwright/journal-interface/contract';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createSystemClock, eventually, VirtualClock } from '@podwright/time';
import type { Clock } from '@podwright/time';
import { FileSource } from './file-source.js';
import { createStaticPodReader } from './static-pod-reader.js';

const manifest = (name: string, image = 'busybox'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [{name: main, image: ${image}}]}\n`;

describe('FileSource', () => {
  let folder = '';
  let path = '';
  const opened: FileSource[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'file-source-'));
    path = join(folder, 'manifests');
  });
  afterEach(async () => {
    for (const source of opened.splice(0)) await source.close();
    await rm(folder, { recursive: true });
  });

  async function open(options: { path?: string; clock?: Clock; watch?: WatchDirectory } = {}) {
    const clock = new VirtualClock();
    const logger = createMemoryLogger();
    const journal = new RecordingJournal();
    const reader = createStaticPodReader('node1');
    let parsed = 0;
    let change: (name?: string) => void = () => undefined;
    const watched: string[] = [];
    const fakeWatch: WatchDirectory = (directory, onChange) => {
      watched.push(directory);
      change = onChange;
      return () => void watched.splice(watched.indexOf(directory), 1);
    };
    const counting = {
      ...reader,
      readFile: (content: Uint8Array, file: string) => (parsed++, reader.readFile(content, file)),
    };
    const source = new FileSource(
      { clock: options.clock ?? clock, logger, journal, reader: counting, watchDirectory: options.watch ?? fakeWatch },
      { path: options.path ?? path, checkFrequencyMs: 20_000 },
    );
    opened.push(source);
    const sets: string[][] = [];
    let latest: readonly Pod[] = [];
    await source.open((pods) => {
      latest = pods;
      sets.push(pods.map(({ metadata }) => metadata.name ?? ''));
    });
    await clock.advance(0);
    return {
      source,
      clock,
      logger,
      journal,
      sets,
      watched,
      pods: () => latest,
      parsed: () => parsed,
      change: () => change(),
      /** As inotify does, then lets the source act on it. */
      event: async (name?: string) => {
        change(name);
        await clock.advance(15);
      },
    };
  }
  const put = (name: string, text: string): Promise<void> => writeFile(join(path, name), text);

  it('reads the regular files of a directory in order, without dotfiles, folders and links that lead nowhere', async () => {
    await mkdir(join(path, 'folder.yaml'), { recursive: true });
    await put('b.yaml', manifest('b'));
    await put(
      'a.json',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'a' },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      }),
    );
    await put('.hidden.yaml', manifest('hidden'));
    await writeFile(join(folder, 'elsewhere'), manifest('linked'));
    await symlink(join(folder, 'elsewhere'), join(path, 'c.yaml'));
    await symlink(join(folder, 'nowhere'), join(path, 'd.yaml'));
    const { sets, pods, logger, journal, event } = await open();
    await event();
    expect(sets).toEqual([['a-node1', 'b-node1', 'linked-node1']]);
    expect(logger.entries.map(({ message }) => message)).toEqual([
      `static pod manifest is not used: ${join(path, 'd.yaml')}: is a link that leads nowhere, not a regular file`,
      `static pod manifest is not used: ${join(path, 'folder.yaml')}: is a directory, not a regular file`,
    ]);
    const origins = journal.of('manifest.refused').map(({ origin }) => origin);
    expect(origins).toEqual([join(path, 'd.yaml'), join(path, 'folder.yaml')]);
    expect(pods()[1]).toMatchObject({
      metadata: { namespace: 'default', annotations: { 'kubernetes.io/config.hash': pods()[1]?.metadata.uid } },
      spec: { nodeName: 'node1', tolerations: [{ operator: 'Exists', effect: 'NoExecute' }], restartPolicy: 'Always' },
      status: { phase: 'Pending' },
    });
  });

  it('tells the journal when a refused manifest is well again, and when it is gone', async () => {
    await mkdir(path);
    await put('a.yaml', 'kind: Pod');
    await put('b.yaml', 'kind: Pod');
    const { journal, event } = await open();
    expect(journal.of('manifest.refused')).toHaveLength(2);
    await put('a.yaml', manifest('a'));
    await rm(join(path, 'b.yaml'));
    await event('a.yaml');
    const settled = journal.of('manifest.settled').map(({ origin, outcome }) => `${origin} ${outcome}`);
    expect([...settled].sort()).toEqual([`${join(path, 'a.yaml')} accepted`, `${join(path, 'b.yaml')} removed`]);
    await put('a.yaml', manifest('a', 'more'));
    await event('a.yaml');
    expect(journal.of('manifest.settled')).toHaveLength(2);
  });

  it('acts on events at once and on its period in any case', async () => {
    await mkdir(path);
    const { sets, event, clock } = await open();
    await put('a.yaml', manifest('a'));
    await event('a.yaml');
    await put('b.yaml', manifest('b'));
    await clock.advance(19_984);
    expect(sets).toEqual([[], ['a-node1']]);
    await clock.advance(1);
    expect(sets).toEqual([[], ['a-node1'], ['a-node1', 'b-node1']]);
    await rm(join(path, 'a.yaml'));
    await event('a.yaml');
    expect(sets.at(-1)).toEqual(['b-node1']);
  });

  it('delivers only when the set has changed, and parses each content once', async () => {
    await mkdir(path);
    await put('a.yaml', manifest('a'));
    const { sets, event, clock, parsed } = await open();
    await event();
    await clock.advance(100_000);
    expect([sets.length, parsed()]).toEqual([1, 1]);
    await put('a.yaml', manifest('a', 'other'));
    await event();
    expect([sets.length, parsed()]).toEqual([2, 2]);
  });

  it('gathers a burst into few passes, but does not wait for its end for ever', async () => {
    await mkdir(path);
    const { sets, change, clock } = await open();
    for (let i = 0; i < 30; i++) {
      await put(`${i}.yaml`, manifest(`pod${i}`));
      change();
      await clock.advance(10);
    }
    await clock.advance(15);
    expect(sets.length).toBeLessThanOrEqual(9); // the empty one, then each 100 ms one per eight files
    expect(sets.at(-1)).toHaveLength(30);
  });

  it('delivers the first pods of many early, except at the start', async () => {
    await mkdir(path);
    for (let i = 10; i < 30; i++) await put(`${i}.yaml`, manifest(`pod${i}`));
    const { sets, event } = await open();
    for (let i = 30; i < 50; i++) await put(`${i}.yaml`, manifest(`pod${i}`));
    await event();
    expect(sets.map((set) => set.length)).toEqual([20, 24, 32, 40]);
  });

  it('notices a rewrite that keeps size and times', async () => {
    const clock = createSystemClock();
    await mkdir(path);
    await put('a.yaml', manifest('a', 'img-1'));
    const { pods, source } = await open({ clock });
    await eventually(() => pods().length === 1);
    await source.close();
    const again = await open({ clock, watch: watchDirectory });
    await eventually(() => again.pods().length === 1);
    await put('a.yaml', manifest('a', 'img-2'));
    await eventually(() => again.pods()[0]?.spec.containers[0]?.image === 'img-2');
  });

  describe('bad manifests', () => {
    it('are skipped in a directory, with one message that names file, field and value', async () => {
      await mkdir(path);
      await put('a.yaml', manifest('a'));
      await put('b.yaml', manifest('b').replace('name: main', 'name: 7'));
      await put('c.yaml', manifest('c').replace('kind: Pod', 'kind: PodList'));
      await put('d.yaml', manifest('Not_A_Name'));
      await put(
        'e.yaml',
        manifest('e').replace('containers', 'volumes: [{name: v, secret: {secretName: s}}], containers'),
      );
      const { sets, logger, clock } = await open();
      await clock.advance(50_000);
      expect(sets).toEqual([['a-node1']]);
      const errors = logger.messages('error');
      expect(errors).toHaveLength(4);
      expect(errors.join('\n')).toContain(`${path}/b.yaml: spec.containers[0].name: expected string, got 7 (number)`);
      expect(errors.join('\n')).toContain(
        `${path}/d.yaml: invalid pod: metadata.name: Invalid value: "Not_A_Name-node1"`,
      );
      expect(errors.join('\n')).toContain(`${path}/e.yaml: static pods may not reference secrets`);
    });

    it('keep the pod of a file that is half written, and remove it when it was bad for a whole period', async () => {
      await mkdir(path);
      await put('a.yaml', manifest('a'));
      const { sets, event, clock } = await open();
      await put('a.yaml', manifest('a').slice(0, 40));
      await event();
      expect(sets).toEqual([['a-node1']]);
      await put('a.yaml', manifest('a', 'new'));
      await event();
      expect(sets).toEqual([['a-node1'], ['a-node1']]);
      await put('a.yaml', 'nonsense');
      await clock.advance(20_000);
      await put('a.yaml', manifest('a', 'newer'));
      await event();
      await put('a.yaml', 'nonsense');
      await clock.advance(20_000);
      expect(sets.slice(2)).toEqual([['a-node1']]);
      await clock.advance(20_000);
      expect(sets.at(-1)).toEqual([]);
    });

    it('are refused beyond 10 MiB', async () => {
      await mkdir(path);
      await put('a.yaml', '#'.repeat(10 * 1024 * 1024 + 1));
      const { sets, logger } = await open();
      expect(sets).toEqual([[]]);
      expect(logger.messages('error')[0]).toContain('a.yaml: is longer than 10485760 bytes');
    });

    it('cannot name directories by their UID', async () => {
      await mkdir(path);
      await put('a.yaml', manifest('a').replace('{name: a}', '{name: a, uid: ../../etc}'));
      const { sets, logger } = await open();
      expect(sets).toEqual([[]]);
      expect(logger.messages('error')[0]).toContain('metadata.uid: Invalid value: "../../etc"');
    });
  });

  describe('a path that is one file', () => {
    it('delivers its pod, and nothing at all while it is bad', async () => {
      const file = join(folder, 'pod.yaml');
      await writeFile(file, 'nonsense');
      const { sets, event, clock, watched } = await open({ path: file });
      expect(watched).toEqual([folder]);
      await clock.advance(40_000);
      expect(sets).toEqual([]);
      await writeFile(join(folder, 'new'), manifest('a'));
      await rename(join(folder, 'new'), file);
      await event('pod.yaml');
      expect(sets).toEqual([['a-node1']]);
      await writeFile(file, 'nonsense');
      await event('pod.yaml');
      await clock.advance(40_000);
      expect(sets).toEqual([['a-node1']]);
      await rm(file);
      await event('pod.yaml');
      expect(sets).toEqual([['a-node1'], []]);
    });
  });

  it('delivers an empty set for a missing path, and finds it when it appears', async () => {
    const { sets, event, watched, logger } = await open();
    expect([sets, watched]).toEqual([[[]], [folder]]);
    expect(logger.messages('error')).toHaveLength(1);
    await mkdir(path);
    await put('a.yaml', manifest('a'));
    await event('manifests');
    expect([sets.at(-1), watched]).toEqual([['a-node1'], [path]]);
    await rm(path, { recursive: true });
    await event();
    expect([sets.at(-1), watched]).toEqual([[], [folder]]);
  });

  it('tries to watch again with growing pauses', async () => {
    await mkdir(path);
    const attempts: number[] = [];
    const clock = new VirtualClock();
    const watch: WatchDirectory = () => {
      attempts.push(clock.monotonic());
      throw new Error('no inotify instances left');
    };
    await open({ clock, watch });
    await clock.advance(8_000);
    expect(attempts).toEqual([0, 1_000, 3_000, 7_000]);
  });

  it('sees real changes of a real directory, and leaves nothing behind', async () => {
    const clock = createSystemClock();
    await mkdir(path);
    const { sets, source } = await open({ clock, watch: watchDirectory });
    await eventually(() => sets.length === 1);
    await writeFile(join(path, '.new'), manifest('a'));
    await rename(join(path, '.new'), join(path, 'a.yaml'));
    await eventually(() => sets.length === 2);
    await rm(join(path, 'a.yaml'));
    await eventually(() => sets.length === 3);
    expect(sets).toEqual([[], ['a-node1'], []]);
    await put('a.yaml', manifest('a'));
    await eventually(() => sets.length === 4);
    await rm(join(path, 'a.yaml'));
    await put('a.yaml', manifest('a'));
    await eventually(() => sets.length >= 6);
    expect(sets.slice(3)).toEqual([['a-node1'], [], ['a-node1']]);
    await source.close();
    await source.close();
  });
});
