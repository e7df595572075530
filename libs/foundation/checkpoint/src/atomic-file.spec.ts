import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { appendWhole } from './append-whole.js';
import { writeFileAtomically } from './atomic-file.js';

describe('writeFileAtomically', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'checkpoint-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('writes whole files without waiting for the disk as well', async () => {
    const file = path.join(directory, 'quick/file');
    await writeFileAtomically(file, '1', { durable: false, mode: 0o640 });
    await writeFileAtomically(file, '2', { durable: false, mode: 0o640 });
    expect(await readFile(file, 'utf8')).toBe('2');
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect(await readdir(path.dirname(file))).toEqual(['file']);
  });

  it.each([
    { durable: true, syncs: 2 },
    { durable: 'old-or-new', syncs: 1 },
    { durable: false, syncs: 0 },
  ] as const)('syncs $syncs times with durable: $durable', async ({ durable, syncs }) => {
    const handle = await open(directory);
    const sync = jest.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'sync');
    await handle.close();
    await writeFileAtomically(path.join(directory, 'file'), '1', { durable });
    expect(sync).toHaveBeenCalledTimes(syncs);
    sync.mockRestore();
  });

  (existsSync('/proc/self') ? it : it.skip)('fails where nobody can make the directory', async () => {
    await expect(writeFileAtomically('/proc/podwright/a/file', '1')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('writes to the temporary file that it is told to', async () => {
    const [file, temporary] = [path.join(directory, 'told/file'), path.join(directory, 'told/file.tmp')];
    await mkdir(temporary, { recursive: true });
    await expect(writeFileAtomically(file, '1', { temporary })).rejects.toThrow('EISDIR');
    await rm(temporary, { recursive: true });
    await writeFile(temporary, 'left by a process that was killed');
    await writeFileAtomically(file, '2', { temporary });
    expect(await readFile(file, 'utf8')).toBe('2');
    expect(await readdir(path.dirname(file))).toEqual(['file']);
  });

  it('removes what a failed write left as soon as another one in the directory succeeds', async () => {
    const [file, temporary] = [path.join(directory, 'file'), path.join(directory, 'file.tmp')];
    // Neither a write nor a removal can cope with a directory.
    await mkdir(temporary);
    await expect(writeFileAtomically(file, '1', { temporary })).rejects.toThrow(
      'EISDIR: illegal operation on a directory, open',
    );
    await writeFileAtomically(path.join(directory, 'other'), '1');
    expect(await readdir(directory)).toEqual(['file.tmp', 'other']);
    await rm(temporary, { recursive: true });
    await writeFile(temporary, 'half');
    await writeFileAtomically(path.join(directory, 'other'), '2');
    expect(await readdir(directory)).toEqual(['other']);
  });
});

describe('appendWhole', () => {
  it('appends all of the content, or nothing when the disk takes only a part', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'append-'));
    const file = path.join(directory, 'lines');
    await appendWhole(file, 'first\n');
    const handle = await open(file);
    const full = jest
      .spyOn(Object.getPrototypeOf(handle) as FileHandle, 'writeFile')
      .mockImplementationOnce(async function (this: FileHandle) {
        await this.write('sec');
        throw new Error('ENOSPC');
      });
    await handle.close();
    await expect(appendWhole(file, 'second\n')).rejects.toThrow('ENOSPC');
    expect(await readFile(file, 'utf8')).toBe('first\n');
    await appendWhole(file, 'third\n');
    expect(full).toHaveBeenCalledTimes(2);
    expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual(['first\nthird\n', 0o600]);
    full.mockRestore();
    await rm(directory, { recursive: true });
  });
});
