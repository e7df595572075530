import { mkdir, mkdtemp, readdir, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMountTools, makeDirectory, removeOneFileSystem } from './index.js';

describe('removeOneFileSystem and mounts', () => {
  const mounts = createMountTools();
  let dir = '';
  const path = (...names: string[]): string => join(dir, ...names);
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'remove-tree-'));
    for (const name of ['data/full', 'tree/a/mounted', 'tree/b/full']) await mkdir(path(name), { recursive: true });
    await writeFile(path('data/full/file'), '');
    await writeFile(path('tree/b/full/file'), '');
  });
  afterEach(async () => {
    await removeOneFileSystem(dir);
  });

  // A bind mount is on the same device as everything else.
  it.each(['data', 'data/full'])('removes everything but a bind mount of %s and what it shows', async (source) => {
    const target = path('tree/a/mounted');
    await mounts.mount({ source: path(source), target, options: ['bind'] });
    try {
      const refused = `cannot delete directory ${target}: it is a mount point`;
      await expect(removeOneFileSystem(path('tree'))).rejects.toThrow(refused);
      await expect(removeOneFileSystem(target)).rejects.toThrow(refused);
      expect([await readdir(path('tree')), await readdir(path('data/full'))]).toEqual([['a'], ['file']]);
    } finally {
      await mounts.unmount(target);
    }
    await rmdir(target);
  });

  it('says that a file system is full when a directory cannot be made there', async () => {
    const target = path('tree/a/mounted');
    await mounts.mount({ source: 'tmpfs', target, fsType: 'tmpfs', options: ['nr_inodes=3'] });
    try {
      expect(await makeDirectory(join(target, 'fits/too'), 0o750)).toBe(join(target, 'fits'));
      expect(await makeDirectory(join(target, 'fits/too'))).toBeUndefined();
      await expect(makeDirectory(join(target, 'fits/too/much'))).rejects.toMatchObject({ code: 'ENOSPC' });
    } finally {
      await mounts.unmount(target);
    }
  });
});
