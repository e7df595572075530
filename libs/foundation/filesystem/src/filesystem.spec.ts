import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createMountTools,
  fileSystemAt,
  mountsBelow,
  parseMountTable,
  removeOneFileSystem,
  setVolumeOwnership,
} from './index.js';
import type { CommandResult } from './index.js';

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
  });
});

describe('mount tools', () => {
  const answering = (result: CommandResult) => {
    const calls: string[] = [];
    return { calls, tools: createMountTools(async (file, args) => (calls.push([file, ...args].join(' ')), result)) };
  };

  it('run mount and umount by argv', async () => {
    const { calls, tools } = answering({ exitCode: 0, output: '' });
    await tools.mount({ source: 'tmpfs', target: '/t', fsType: 'tmpfs', options: ['size=1', 'noswap'] });
    await tools.mount({ source: '/a', target: '/b' });
    await tools.unmount('/t');
    expect(calls).toEqual(['mount -t tmpfs -o size=1,noswap tmpfs /t', 'mount /a /b', 'umount /t']);
  });

  it('say what failed, and take an unmounted target as unmounted', async () => {
    const { tools } = answering({ exitCode: 32, output: 'mount: permission denied.' });
    await expect(tools.mount({ source: 'tmpfs', target: '/t' })).rejects.toThrow(
      'mount failed: exit status 32\nMounting command: mount\nMounting arguments: tmpfs /t\nOutput: mount: permission denied.',
    );
    await expect(tools.unmount('/t')).rejects.toThrow('unmount failed: exit status 32\nUnmounting arguments: /t');
    await answering({ exitCode: 32, output: 'umount: /t: not mounted.' }).tools.unmount('/t');
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
});

describe('setVolumeOwnership', () => {
  it('opens files and directories for the group', async () => {
    await mkdir(join(folder, 'dir'), { mode: 0o700 });
    await writeFile(join(folder, 'dir', 'file'), '');
    await chmod(join(folder, 'dir', 'file'), 0o600);
    await symlink('/nowhere', join(folder, 'dir', 'link'));
    const fsGroup = process.getgid?.() ?? 0;
    const failures: unknown[] = [];
    const onError = (path: string, error: unknown): void => void failures.push([path, error]);
    await setVolumeOwnership(join(folder, 'dir'), { fsGroup, readOnly: false, onError });
    const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o7777).toString(8);
    expect([await mode(join(folder, 'dir')), await mode(join(folder, 'dir', 'file'))]).toEqual(['2770', '660']);
    expect(failures).toEqual([]);
  });
});

describe('fileSystemAt', () => {
  it('tells kinds apart', async () => {
    expect(await fileSystemAt(join(folder, 'missing'))).toBeUndefined();
    expect((await fileSystemAt(folder))?.ownDevice).toBe(false);
    expect(await fileSystemAt('/dev/shm')).toMatchObject({ type: 'tmpfs', ownDevice: true });
  });
});
