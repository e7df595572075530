import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exists, fileSystemAt, mountsBelow, parseMountTable, readPlainFile, removeOneFileSystem } from './index.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filesystem-'));
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

describe('mount table', () => {
  const table = parseMountTable(
    [
      '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro',
      '30 22 0:40 / /pods/a\\040b rw - tmpfs tmpfs rw,context="system_u:object_r:t:s0:c1,c2"',
      '31 30 0:41 / /pods/a\\040b/inner rw,nosuid shared:2 master:1 - tmpfs none rw',
      '32 22 0:42 / /pods/ab rw - tmpfs none rw',
      'nonsense',
    ].join('\n'),
  );

  it('is read with its escapes, optional fields and quoted options', () => {
    expect(table).toHaveLength(4);
    expect(table[1]).toMatchObject({
      mountPoint: '/pods/a b',
      propagation: [],
      superOptions: ['rw', 'context="system_u:object_r:t:s0:c1,c2"'],
    });
    expect(table[2]).toMatchObject({
      id: 31,
      parentId: 30,
      device: '0:41',
      propagation: ['shared:2', 'master:1'],
      options: ['rw', 'nosuid'],
    });
  });

  it('gives what is mounted at or below a path, innermost first', () => {
    expect(mountsBelow(table, '/pods/a b').map(({ mountPoint }) => mountPoint)).toEqual([
      '/pods/a b/inner',
      '/pods/a b',
    ]);
    expect(mountsBelow(table, '/pods/a')).toEqual([]);
    expect(mountsBelow(table, '/pods/a b/inner', '/pods/ab').map(({ id }) => id)).toEqual([32, 31]);
  });
});

describe('removeOneFileSystem', () => {
  it('removes a tree but not what its links name', async () => {
    await mkdir(join(folder, 'tree', 'deep'), { recursive: true });
    await writeFile(join(folder, 'outside'), '');
    await symlink(folder, join(folder, 'tree', 'up'));
    await writeFile(join(folder, 'tree', 'deep', 'file'), '');
    await removeOneFileSystem(join(folder, 'tree'));
    await removeOneFileSystem(join(folder, 'tree'));
    expect(await readdir(folder)).toEqual(['outside']);
  });

  it('removes empty directories only, when asked to', async () => {
    await mkdir(join(folder, 'a', 'b'), { recursive: true });
    await writeFile(join(folder, 'a', 'file'), '');
    await expect(removeOneFileSystem(join(folder, 'a'), { directoriesOnly: true })).rejects.toThrow(
      'it is no directory',
    );
    expect(await readdir(join(folder, 'a'))).toEqual(['file']);
  });

  it('removes names that are not text', async () => {
    const odd = Buffer.concat([Buffer.from(join(folder, 'tree/')), Buffer.from([0xff, 0xfe])]);
    await mkdir(join(folder, 'tree'));
    await mkdir(odd);
    await writeFile(Buffer.concat([odd, Buffer.from([0x2f, 0xc3])]), '');
    await removeOneFileSystem(join(folder, 'tree'));
    expect(await readdir(folder)).toEqual([]);
  });

  it('removes what lies deeper than a path can say', async () => {
    let inner = join(folder, 'inner');
    await mkdir(inner);
    // Grown from its bottom: the path to make stays short.
    const [name, levels] = ['d'.repeat(200), 30];
    for (let level = 0; level < levels; level++) {
      const outer = join(folder, `outer${level}`);
      await mkdir(outer);
      await rename(inner, join(outer, name));
      inner = outer;
    }
    await removeOneFileSystem(inner);
    expect(await readdir(folder)).toEqual([]);
  });

  it('continues after an error and rejects with the first', async () => {
    for (const name of ['a', 'b', 'c']) await mkdir(join(folder, 'tree', name, 'below'), { recursive: true });
    await writeFile(join(folder, 'tree/a/below/file'), '');
    await expect(removeOneFileSystem(join(folder, 'tree'), { directoriesOnly: true })).rejects.toThrow(
      `cannot delete ${folder}/tree/a/below/file: it is no directory`,
    );
    expect(await readdir(join(folder, 'tree'))).toEqual(['a']);
  });
});

describe('fileSystemAt', () => {
  it('tells kinds apart', async () => {
    expect(await fileSystemAt(join(folder, 'missing'))).toBeUndefined();
    expect((await fileSystemAt(folder))?.ownDevice).toBe(false);
    expect(await fileSystemAt('/dev/shm')).toMatchObject({ type: 'tmpfs', ownDevice: true });
  });
});

describe('exists', () => {
  it('follows links, and rejects when nobody can tell', async () => {
    await writeFile(join(folder, 'file'), '');
    await symlink('file', join(folder, 'link'));
    await symlink('nowhere', join(folder, 'broken'));
    const found = ['file', 'link', 'broken', 'none'].map((name) => exists(join(folder, name)));
    expect(await Promise.all(found)).toEqual([true, true, false, false]);
    await expect(exists(join(folder, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});

describe('readPlainFile', () => {
  it('reads regular files of bounded size, through links too', async () => {
    await writeFile(join(folder, 'file'), 'text');
    await symlink('file', join(folder, 'link'));
    expect(await readPlainFile(join(folder, 'link'), 4)).toBe('text');
    await expect(readPlainFile(join(folder, 'file'), 3, 'it')).rejects.toThrow(/^it is larger than 3 bytes$/);
    await expect(readPlainFile(folder, 10, 'it')).rejects.toThrow(/^it is no regular file$/);
    await expect(readPlainFile(join(folder, 'none'), 10)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
