import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeDirectory } from './make-directory.js';

describe('makeDirectory', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'make-directory-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('makes what is missing, says where that began, and takes what is there', async () => {
    const deep = path.join(folder, 'a/b/c');
    expect(await makeDirectory(deep, 0o750)).toBe(path.join(folder, 'a'));
    expect((await stat(path.dirname(deep))).mode & 0o777).toBe(0o750);
    expect(await makeDirectory(deep)).toBeUndefined();
    await symlink(deep, path.join(folder, 'link'));
    expect(await makeDirectory(path.join(folder, 'link'))).toBeUndefined();
  });

  it('may be called for one directory by several at once', async () => {
    const deep = path.join(folder, 'a/b');
    await Promise.all([makeDirectory(deep), makeDirectory(deep), makeDirectory(path.join(deep, 'c'))]);
    expect((await stat(path.join(deep, 'c'))).isDirectory()).toBe(true);
  });

  it('refuses a file in the place of a directory', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    for (const directory of [file, path.join(file, 'a/b')])
      await expect(makeDirectory(directory)).rejects.toMatchObject({ code: 'ENOTDIR', path: file });
  });

  it('says in the words of Go what could not be made', async () => {
    const long = path.join(folder, 'n'.repeat(256));
    const message = `mkdir ${long}: file name too long`;
    await expect(makeDirectory(path.join(long, 'a'))).rejects.toMatchObject({ message, code: 'ENAMETOOLONG' });
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    await expect(makeDirectory(file)).rejects.toThrow(`mkdir ${file}: not a directory`);
  });

  (existsSync('/proc/self') ? it : it.skip)('fails where nobody can make a directory', async () => {
    await expect(makeDirectory('/proc/podwright/a')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
