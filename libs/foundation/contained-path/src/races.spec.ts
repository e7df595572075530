import { execFile } from 'node:child_process';
import fs, { type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ContainedFolder } from './contained-folder.js';
import { openContained, openForReading, type LinkPolicy } from './open-contained.js';

const run = promisify(execFile);

/** Reads the file that a way of opening has reached. */
type Read = (root: string, below: string) => Promise<string>;

const readBy =
  (links: LinkPolicy): Read =>
  async (root, below) => {
    const entry = await openContained(root, below, links);
    try {
      return await textOf((await openForReading(entry)).handle);
    } finally {
      await entry.close();
    }
  };

const readInFolder: Read = async (root, below) => {
  const names = below.split('/');
  const folder = await ContainedFolder.open(root, names.slice(0, -1));
  try {
    return await textOf(await folder.openFile(names.at(-1) ?? ''));
  } finally {
    await folder.close();
  }
};

const textOf = (file: FileHandle): Promise<string> => file.readFile('utf8').finally(() => file.close());

/** Ways of opening, and which of them follow a link that stays below the root. */
const ways: readonly [name: string, read: Read, follows: boolean][] = [
  ['refuse', readBy('refuse'), false],
  ['contain', readBy('contain'), true],
  ['contain-absolute', readBy('contain-absolute'), true],
  ['chroot', readBy('chroot'), true],
  ['ContainedFolder', readInFolder, false],
];

describe.each(ways)('a tree that changes during a walk: %s', (_name, read, follows) => {
  let base: string;
  let root: string;
  const at = (...names: string[]): string => path.join(base, ...names);

  beforeEach(async () => {
    base = await fs.realpath(await fs.mkdtemp(path.join(tmpdir(), 'races-')));
    root = at('root');
    await fs.mkdir(at('root/a/b'), { recursive: true });
    await fs.mkdir(at('outside/b'), { recursive: true });
    for (const file of ['root/a/b/file', 'root/a/file', 'root/file']) await fs.writeFile(at(file), 'inside');
    for (const file of ['outside/b/file', 'outside/file', 'secret']) await fs.writeFile(at(file), 'outside');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    const handles = await Promise.all(
      (await fs.readdir('/proc/self/fd')).map((fd) => fs.readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    expect(handles.filter((target) => target.startsWith(base))).toEqual([]);
    await fs.rm(base, { recursive: true });
  });

  /** Changes the tree just before a call on an entry of that name. */
  function before(call: 'open' | 'readlink', name: string, change: () => Promise<unknown>): void {
    let isDue = true;
    const real = fs[call] as (...args: unknown[]) => Promise<never>;
    jest.spyOn(fs, call).mockImplementation(async (...args: unknown[]) => {
      if (isDue && path.basename(String(args[0])) === name) {
        isDue = false;
        await change();
      }
      return real(...args);
    });
  }

  async function replaceByLink(place: string, target: string): Promise<void> {
    await fs.rename(at(place), at('moved'));
    await fs.symlink(target, at(place));
  }

  it.each(['relative', 'absolute'])('a folder becomes a %s link to outside before it is opened', async (kind) => {
    before('open', 'a', () => replaceByLink('root/a', kind === 'absolute' ? at('outside') : '../outside'));
    await expect(read(root, 'a/b/file')).rejects.toThrow();
  });

  it.each(['relative', 'absolute'])('the file becomes a %s link to outside before it is opened', async (kind) => {
    before('open', 'file', () =>
      replaceByLink('root/a/b/file', kind === 'absolute' ? at('secret') : '../../../secret'),
    );
    await expect(read(root, 'a/b/file')).rejects.toThrow();
  });

  it('a folder that was opened moves, and a link to outside takes its place', async () => {
    before('open', 'b', () => replaceByLink('root/a', '../outside'));
    expect(await read(root, 'a/b/file')).toBe('inside');
  });

  it('the root moves, and a link to outside takes its place', async () => {
    before('open', 'a', () => replaceByLink('root', 'outside'));
    expect(await read(root, 'a/b/file')).toBe('inside');
  });

  it('a folder that was opened moves to outside: its parent is where the walk came from', async () => {
    before('open', 'b', () => fs.rename(at('root/a'), at('outside/a')));
    const reading = read(root, 'a/b/../../file');
    if (follows) expect(await reading).toBe('inside');
    else await expect(reading).rejects.toThrow();
  });

  it('a link leads elsewhere when it is read than when it was opened', async () => {
    await fs.symlink('b', at('root/a/link'));
    before('readlink', 'link', async () => {
      await fs.rm(at('root/a/link'));
      await fs.symlink('../../outside', at('root/a/link'));
    });
    await expect(read(root, 'a/link/file')).rejects.toThrow();
  });

  it('a link is a folder when it is read', async () => {
    await fs.symlink('b', at('root/a/link'));
    before('readlink', 'link', async () => {
      await fs.rm(at('root/a/link'));
      await fs.rename(at('outside'), at('root/a/link'));
    });
    await expect(read(root, 'a/link/file')).rejects.toThrow();
  });

  it.each(['a', 'file'])('%s becomes a pipe before it is opened', async (name) => {
    const place = name === 'a' ? at('root/a') : at('root/a/b/file');
    before('open', name, async () => {
      await fs.rename(place, at('moved'));
      await run('mkfifo', [place]);
    });
    await expect(read(root, 'a/b/file')).rejects.toThrow();
  });

  it('a device is not opened', async () => {
    await expect(read('/dev', 'zero')).rejects.toThrow(/neither a file nor a directory|is not a regular file/);
    await expect(read('/dev', 'zero/file')).rejects.toThrow('ENOTDIR');
  });

  it('a folder goes', async () => {
    before('open', 'b', () => fs.rm(at('root/a'), { recursive: true }));
    await expect(read(root, 'a/b/file')).rejects.toThrow('ENOENT');
  });

  it.each(['', 'a/b/', './/a/'])('no number of .. leads out: %s', async (start) => {
    const up = `${start}${'../'.repeat(100)}`;
    await expect(read(root, `${up}secret`)).rejects.toThrow();
    await expect(read(root, `${up}outside/b/file`)).rejects.toThrow();
    await fs.symlink(`${up}secret`, at('root/up'));
    await expect(read(root, 'up')).rejects.toThrow();
  });

  it('a link that stays inside is followed, or refused, whatever it is swapped for later', async () => {
    await fs.symlink('a/./b', at('root/link'));
    before('open', 'file', () => fs.rm(at('root/link')));
    const reading = read(root, 'link/file');
    if (follows) expect(await reading).toBe('inside');
    else await expect(reading).rejects.toThrow(/unexpected symlink found link|ENOTDIR/);
  });

  it('links in a circle end', async () => {
    await fs.symlink('two', at('root/one'));
    await fs.symlink('one', at('root/two'));
    await expect(read(root, 'one')).rejects.toThrow(/symlink|symbolic links|ELOOP/);
  });
});
