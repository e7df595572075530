import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryMounts } from '@podwright/filesystem';
import { createMemoryLogger } from '@podwright/logging';
import { sweepOrphans } from './orphan-sweep.js';

describe('sweepOrphans', () => {
  let podsDir = '';
  let mounts: MemoryMounts;
  let swept: readonly number[] = [];
  let logger = createMemoryLogger();
  beforeEach(async () => {
    podsDir = await mkdtemp(join(tmpdir(), 'orphans-'));
    mounts = new MemoryMounts();
    logger = createMemoryLogger();
  });
  afterEach(async () => rm(podsDir, { recursive: true }));

  const sweep = (): Promise<void> =>
    sweepOrphans(
      (podUid) => podUid === 'known',
      {
        podsDir,
        mounts,
        logger,
        metrics: { swept: (cleaned: number, failed: number) => (swept = [cleaned, failed]) } as never,
        emptyOrphan: async () => true,
      },
      new AbortController().signal,
    );
  const make = (...path: string[]): Promise<unknown> => mkdir(join(podsDir, ...path), { recursive: true });
  const errors = (): readonly unknown[] =>
    logger.entries
      .filter(({ message }) => message.startsWith('There were many'))
      .map(({ fields }) => [(fields?.['error'] as Error).message.replaceAll(podsDir, ''), fields?.['numErrs']]);

  it('removes empty volumes, sub paths and all other directories of unknown pods', async () => {
    await make('known/volumes/kubernetes.io~secret/s');
    await make('a/volumes/kubernetes.io~empty-dir/e');
    await make('a/volumes/kubernetes.io~csi/pv/mount');
    await make('a/volume-subpaths/e/c/0');
    await make('a/containers/c');
    await make('b/plugins');
    await sweep();
    expect([await readdir(podsDir), swept, errors()]).toEqual([['known'], [2, 0], []]);
  });

  it('keeps a pod whose volumes have files, and says so without failing', async () => {
    for (const name of ['v', 'w']) {
      await make('a/volumes/kubernetes.io~empty-dir', name);
      await writeFile(join(podsDir, 'a/volumes/kubernetes.io~empty-dir', name, 'data'), '');
    }
    await make('a/volumes/kubernetes.io~csi/pv');
    await writeFile(join(podsDir, 'a/volumes/kubernetes.io~csi/pv/vol_data.json'), '');
    await make('a/containers');
    await sweep();
    expect((await readdir(join(podsDir, 'a'))).sort()).toEqual(['containers', 'volumes']);
    expect(await readdir(join(podsDir, 'a/volumes/kubernetes.io~csi/pv'))).toEqual(['vol_data.json']);
    expect(swept).toEqual([1, 1]);
    const [first, count] = errors()[0] as [string, number];
    expect(first).toMatch(
      /^orphaned pod "a" found, but failed to rmdir\(\) volume at path \/a\/volumes\/kubernetes.io~empty-dir\/v: directory not empty$/,
    );
    // Both volumes, and the directory of all volumes.
    expect([errors().length, count]).toEqual([1, 3]);
  });

  it('names each part of a volume that it cannot remove, and unmounts those that it can', async () => {
    await make('a/volume-subpaths/v/c/0');
    await make('a/volume-subpaths/v/c/1');
    await writeFile(join(podsDir, 'a/volume-subpaths/v/c/1/data'), '');
    await writeFile(join(podsDir, 'a/volume-subpaths/v/c/2'), '');
    const mounted = join(podsDir, 'a/volume-subpaths/v/c/0');
    await mounts.mount({ source: '/data', target: mounted, options: ['bind'] });
    await sweep();
    expect([mounts.unmounted, await readdir(join(podsDir, 'a/volume-subpaths/v/c'))]).toEqual([[mounted], ['1']]);
    const [first, count] = errors()[0] as [string, number];
    expect(first).toMatch(
      /^orphaned pod "a" found, but failed to remove subpath at path (\/a\/volume-subpaths\/v\/c\/1): remove \1: directory not empty$/,
    );
    expect([errors().length, count]).toEqual([1, 1]);
  });

  it('keeps a pod in which something is mounted, and counts it among those of which something is left', async () => {
    await make('b/containers');
    await make('a/volumes/kubernetes.io~empty-dir/v');
    await mounts.mount({
      source: 'tmpfs',
      fsType: 'tmpfs',
      target: join(podsDir, 'a/volumes/kubernetes.io~empty-dir/v'),
    });
    await sweep();
    expect([await readdir(podsDir), swept, mounts.unmounted]).toEqual([['a'], [2, 1], []]);
    await sweep();
    expect(swept).toEqual([1, 1]);
  });
});
