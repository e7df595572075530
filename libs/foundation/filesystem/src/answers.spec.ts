import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ProgramEnd } from '@podwright/program';
import { parseMountTable, requireAnswer } from './index.js';

const table = parseMountTable(
  [
    '1 0 8:1 / / rw - ext4 /dev/sda1 rw',
    '2 1 0:40 / /pods/n rw - nfs4 server:/ rw',
    '3 1 0:41 / /pods/f rw - fuse.sshfs host: rw',
    '4 1 0:42 / /pods/t rw - tmpfs tmpfs rw',
  ].join('\n'),
);

describe('requireAnswer', () => {
  const asked: string[] = [];
  const check = (path: string, end: ProgramEnd, list = table): Promise<void> =>
    requireAnswer(path, AbortSignal.abort(new Error('late')), {
      list: async () => list,
      run: async ({ file, args }) => {
        asked.push([file, ...args].join(' '));
        return { end, problem: undefined, stdout: '', stderr: '' };
      },
    });

  it('asks a network file system in a child process, and refuses one that does not answer', async () => {
    await expect(check('/pods/n/a', { how: 'aborted' })).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the file system at /pods/n/a does not answer',
    });
    await expect(check('/pods/f', { how: 'aborted' })).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked).toEqual(['stat --file-system --format=%i -- /pods/n/a', 'stat --file-system --format=%i -- /pods/f']);
  });

  it('accepts every answer, also an error, and asks no other file system', async () => {
    await check('/pods/n/missing', { how: 'exited', code: 1 });
    asked.splice(0);
    await check('/pods/t/a', { how: 'aborted' });
    await check('/pods/nn', { how: 'aborted' });
    expect(asked).toEqual([]);
  });

  it('finds out where links lead, without a step into a network file system', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'answers-'));
    try {
      const mounts = parseMountTable(`1 0 8:1 / / rw - ext4 d rw\n2 1 0:40 / ${folder}/n rw - nfs4 server:/ rw`);
      await symlink(join(folder, 'n'), join(folder, 'link'));
      await symlink('link/deep', join(folder, 'other'));
      await symlink('..', join(folder, 'local'));
      await expect(check(join(folder, 'other/a'), { how: 'aborted' }, mounts)).rejects.toMatchObject({
        code: 'unavailable',
      });
      await check(join(folder, 'local/a'), { how: 'aborted' }, mounts);
      await check(join(folder, 'missing/a'), { how: 'aborted' }, mounts);
      expect(asked).toEqual([`stat --file-system --format=%i -- ${join(folder, 'other/a')}`]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
