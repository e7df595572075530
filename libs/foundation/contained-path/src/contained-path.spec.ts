import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ContainedFolder, makeContainedFolder } from './contained-folder.js';
import { openContained, openForReading, type LinkPolicy } from './open-contained.js';

const run = promisify(execFile);

let base: string;
let root: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'contained-')));
  root = path.join(base, 'root');
  await mkdir(path.join(root, 'sub'), { recursive: true });
  await writeFile(path.join(root, 'sub/file'), 'inside');
  await writeFile(path.join(base, 'secret'), 'outside');
});
// The program, as Node cannot name what lies thousands of folders deep.
afterEach(() => run('rm', ['-rf', base]));

describe('openContained', () => {
  async function read(below: string, links: LinkPolicy): Promise<string> {
    const entry = await openContained(root, below, links);
    try {
      const { handle } = await openForReading(entry);
      return await handle.readFile('utf8').finally(() => handle.close());
    } finally {
      await entry.close();
    }
  }

  const left = 'path escapes from parent';
  const symlinked = 'unexpected symlink found link';
  it.each<[target: string, outcomes: Record<LinkPolicy, string>]>([
    ['sub/file', { refuse: symlinked, contain: 'inside', 'contain-absolute': 'inside', chroot: 'inside' }],
    ['sub/../sub/./file', { refuse: symlinked, contain: 'inside', 'contain-absolute': 'inside', chroot: 'inside' }],
    ['/sub/file', { refuse: symlinked, contain: left, 'contain-absolute': left, chroot: 'inside' }],
    ['ROOT/sub/file', { refuse: symlinked, contain: left, 'contain-absolute': 'inside', chroot: 'ENOENT' }],
    ['ROOTsub/file', { refuse: symlinked, contain: left, 'contain-absolute': left, chroot: 'ENOENT' }],
    ['ROOT/../secret', { refuse: symlinked, contain: left, 'contain-absolute': left, chroot: 'ENOENT' }],
    ['../secret', { refuse: symlinked, contain: left, 'contain-absolute': left, chroot: 'ENOENT' }],
    ['../root/sub/file', { refuse: symlinked, contain: left, 'contain-absolute': left, chroot: 'ENOENT' }],
    ['BASE/secret', { refuse: symlinked, contain: left, 'contain-absolute': left, chroot: 'ENOENT' }],
  ])('at a link to %s', async (target, outcomes) => {
    await symlink(target.replace('ROOT', root).replace('BASE', base), path.join(root, 'link'));
    for (const [links, expected] of Object.entries(outcomes) as [LinkPolicy, string][]) {
      const reading = read('link', links);
      if (expected === 'inside') expect(await reading).toBe(expected);
      else await expect(reading).rejects.toThrow(expected);
    }
  });

  it.each<[LinkPolicy, most: number]>([
    ['contain', 40],
    ['contain-absolute', 40],
    ['chroot', 255],
  ])('%s follows %d links and no more', async (links, most) => {
    await symlink('sub/file', path.join(root, 'l1'));
    for (let count = 2; count <= most + 1; count++) await symlink(`l${count - 1}`, path.join(root, `l${count}`));
    expect(await read(`l${most}`, links)).toBe('inside');
    await expect(read(`l${most + 1}`, links)).rejects.toThrow('too many levels of symbolic links');
  });

  it('holds a bounded number of descriptors', async () => {
    const deep = 'd/'.repeat(2050);
    await run('mkdir', ['-p', deep], { cwd: root });
    await expect(read(deep, 'chroot')).rejects.toThrow('too many levels of directories');
  });

  it('makes missing folders in an open one', async () => {
    await symlink('../../outside', path.join(root, 'sub/taken'));
    const sub = await openContained(root, 'sub', 'refuse');
    try {
      const made = await makeContainedFolder(sub, 'made', 0o2770);
      expect((await made.stat()).mode & 0o7777).toBe(0o2770);
      await made.close();
      await expect(makeContainedFolder(sub, 'taken', 0o755)).rejects.toThrow('EEXIST');
      await expect(makeContainedFolder(sub, '../x', 0o755)).rejects.toThrow('does not name an entry of a folder');
    } finally {
      await sub.close();
    }
  });

  it('may be asked for the root, which may be reached through links', async () => {
    await symlink('root', path.join(base, 'alias'));
    const entry = await openContained(path.join(base, 'alias'), './/', 'refuse');
    expect((await entry.stat()).ino).toBe((await stat(root)).ino);
    await entry.close();
  });
});

describe('ContainedFolder', () => {
  let folder: ContainedFolder;
  beforeEach(async () => {
    folder = await ContainedFolder.open(root, ['sub']);
    // From here on the path leads outside.
    await mkdir(path.join(base, 'outside'));
    await writeFile(path.join(base, 'outside/file'), 'outside');
    await rename(path.join(root, 'sub'), path.join(root, 'moved'));
    await symlink('../outside', path.join(root, 'sub'));
  });
  afterEach(() => folder.close());
  const outside = (): Promise<string> => readFile(path.join(base, 'outside/file'), 'utf8');

  it('works on the folder that was opened', async () => {
    const made = await folder.createFile('made', 0o2640);
    await made.close();
    expect((await stat(path.join(root, 'moved/made'))).mode & 0o7777).toBe(0o2640);
    await folder.rename('file', 'renamed');
    expect(await folder.renameUnlessTaken('renamed', 'made')).toBe(false);
    expect(await folder.renameUnlessTaken('renamed', 'file')).toBe(true);
    expect((await folder.names()).sort()).toEqual(['file', 'made']);
    expect((await folder.stat('file'))?.size).toBe('inside'.length);
    await folder.remove('file');
    await folder.remove('file');
    expect(await folder.stat('file')).toBeUndefined();
    expect(await outside()).toBe('outside');
  });

  it('neither reads nor writes through links', async () => {
    await symlink('../../secret', path.join(root, 'moved/link'));
    await symlink('../../new', path.join(root, 'moved/dangling'));
    expect((await folder.stat('link'))?.isSymbolicLink()).toBe(true);
    await expect(folder.openFile('link')).rejects.toThrow('ELOOP');
    await expect(folder.createFile('dangling', 0o600)).rejects.toThrow('EEXIST');
    await expect(stat(path.join(base, 'new'))).rejects.toThrow('ENOENT');
    await folder.remove('link');
    expect(await readFile(path.join(base, 'secret'), 'utf8')).toBe('outside');
  });

  it.each(['', '.', '..', '../../secret', '/etc/hostname', 'a/b'])('takes names only, not %j', async (name) => {
    const refused = /does not name an entry of a folder/;
    await expect(ContainedFolder.open(root, [name])).rejects.toThrow(refused);
    for (const call of [
      () => folder.openFile(name),
      () => folder.createFile(name, 0o600),
      () => folder.stat(name),
      () => folder.remove(name),
      () => folder.rename('file', name),
      () => folder.renameUnlessTaken(name, 'taken'),
    ]) {
      await expect((async () => call())()).rejects.toThrow(refused);
    }
  });

  it('names the step that failed', async () => {
    const told: string[] = [];
    const toError = (at: string, error: unknown): unknown => {
      told.push(path.relative(base, at));
      return error;
    };
    await expect(ContainedFolder.open(path.join(base, 'none'), ['x'], toError)).rejects.toThrow('ENOENT');
    await expect(ContainedFolder.open(root, ['moved', 'x', 'y'], toError)).rejects.toThrow('ENOENT');
    await expect(ContainedFolder.open(root, ['sub', 'x'], toError)).rejects.toThrow('ENOTDIR');
    const opened = await ContainedFolder.open(root, ['moved'], toError);
    await expect(opened.openFile('z')).rejects.toThrow('ENOENT');
    await opened.close();
    expect(told).toEqual(['none', 'root/moved/x', 'root/sub', 'root/moved/z']);
  });
});
