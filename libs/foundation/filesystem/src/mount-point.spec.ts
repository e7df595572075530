import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { VirtualClock } from '@podwright/time';
import {
  cleanMountPoint,
  deviceOfMount,
  forceCleanMountPoint,
  isCorruptedMount,
  isMountPoint,
  MemoryMounts,
  mountOf,
  mountReferences,
  parseMountTable,
  resolveLinks,
} from './index.js';

let folder = '';
let mounts: MemoryMounts;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mount-point-')));
  mounts = new MemoryMounts();
});
afterEach(async () => rm(folder, { recursive: true, force: true }));
const below = (...names: string[]): string => join(folder, ...names);

describe('resolveLinks', () => {
  it('follows links, also in the middle, and `..`', async () => {
    await mkdir(below('real/deep'), { recursive: true });
    await symlink('real', below('link'));
    await symlink(below('link/deep'), below('absolute'));
    expect(await resolveLinks(below('link//./deep/..'), [])).toBe(below('real'));
    expect(await resolveLinks(below('absolute/'), [])).toBe(below('real/deep'));
    await expect(resolveLinks(below('none'), [])).rejects.toThrow('ENOENT');
    await symlink('loop', below('loop'));
    await expect(resolveLinks(below('loop'), [])).rejects.toThrow('ELOOP');
  });

  it('does not touch a mount point', async () => {
    // Nothing is there, so that any call on it would fail.
    await mounts.mount({ source: 'server:/', target: below('hung'), fsType: 'nfs' });
    await symlink('hung', below('link'));
    expect(await resolveLinks(below('link'), await mounts.list())).toBe(below('hung'));
  });
});

describe('mountOf', () => {
  const table = parseMountTable(
    [
      '1 0 8:1 / / rw - ext4 /dev/sda1 rw',
      '2 1 8:2 / /a/b rw - ext4 /dev/sdb rw',
      '3 2 8:3 / /a/b/c rw - ext4 /dev/sdc rw',
      '4 1 8:4 / /a rw - ext4 /dev/sdd rw',
      '5 4 8:5 / /a rw - ext4 /dev/sde rw',
      '6 1 8:6 / /other rw - ext4 /dev/sdf rw',
    ].join('\n'),
  );
  it.each([
    ['/', 1],
    ['/ab', 1],
    ['/a/b/c/d', 5],
    ['/other/x', 6],
  ])('%s is in mount %i', (path, id) => {
    expect(mountOf(path, table)?.id).toBe(id);
  });
  it('finds nested mounts, and none in an empty table', () => {
    expect(mountOf('/a/b/c/d', table.slice(0, 3))?.id).toBe(3);
    expect(mountOf('/a', [])).toBeUndefined();
  });
});

describe('mount points', () => {
  it('are found by the mount table, through links', async () => {
    await mkdir(below('dir'));
    await symlink('dir', below('link'));
    expect(await isMountPoint(mounts, below('link'))).toBe(false);
    await mounts.mount({ source: folder, target: below('dir'), options: ['bind'] });
    expect(await isMountPoint(mounts, below('link'))).toBe(true);
    expect(await isMountPoint(mounts, below('none'))).toBe(false);
  });

  it('have references: other mounts of the same directory', async () => {
    await mkdir(below('source/inner'), { recursive: true });
    const bind = (source: string, target: string): Promise<void> => mounts.mount({ source, target, options: ['bind'] });
    await bind(below('source'), '/r1');
    await bind('/r1', '/r2');
    await bind(below('source/inner'), '/r3');
    expect(await mountReferences(mounts, below('source'))).toEqual(['/r1', '/r2']);
    expect(await mountReferences(mounts, '/r2')).toEqual(['/r1']);
    expect(await mountReferences(mounts, below('source/inner'))).toEqual(['/r3']);
    expect(await mountReferences(mounts, below('none'))).toEqual([]);
  });

  it('have a device, with all its mounts', async () => {
    await mounts.mount({ source: '/dev/sdb', target: '/d1', fsType: 'ext4' });
    await mounts.mount({ source: '/dev/sdb', target: '/d2', fsType: 'ext4' });
    expect(await deviceOfMount(mounts, '/d2')).toEqual({ device: '/dev/sdb', mountCount: 2 });
    expect(await deviceOfMount(mounts, folder)).toEqual({ device: undefined, mountCount: 0 });
  });

  it('may be corrupted, which their errors say', () => {
    const errors = ['ENOTCONN', 'ESTALE', 'EIO', 'EACCES', 'EHOSTDOWN', 'EAGAIN', 'ENODEV', 'ENOENT', 'EBUSY'];
    expect(errors.filter((code) => !isCorruptedMount({ code }))).toEqual(['ENOENT', 'EBUSY']);
    expect(isCorruptedMount('EIO')).toBe(false);
  });
});

describe('cleaning a mount point', () => {
  it('unmounts and removes the directory, twice', async () => {
    await mkdir(below('m'));
    await mounts.mount({ source: 'tmpfs', target: below('m'), fsType: 'tmpfs' });
    await cleanMountPoint(mounts, below('m'));
    await cleanMountPoint(mounts, below('m'));
    expect(await readdir(folder)).toEqual([]);
    expect(mounts.unmounted).toEqual([below('m')]);
  });

  it('leaves what is still mounted, and what is not empty', async () => {
    await mkdir(below('m'));
    await mounts.mount({ source: 'tmpfs', target: below('m'), fsType: 'tmpfs' });
    await mounts.mount({ source: 'tmpfs', target: below('m'), fsType: 'tmpfs' });
    await expect(cleanMountPoint(mounts, below('m'))).rejects.toThrow(`failed to cleanup mount point ${below('m')}`);
    await writeFile(below('m/file'), '');
    await expect(cleanMountPoint(mounts, below('m'))).rejects.toThrow('ENOTEMPTY');
    expect(await readdir(below('m'))).toEqual(['file']);
  });

  it('forces an unmount that takes longer than a minute, and only then', async () => {
    const clock = new VirtualClock();
    await mkdir(below('m'));
    const calls: string[] = [];
    mounts.beforeEach = async (operation, _target, signal) => {
      calls.push(operation);
      if (operation === 'unmount')
        await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    };
    await mounts.mount({ source: 'server:/', target: below('m'), fsType: 'nfs' });
    const cleaned = forceCleanMountPoint(mounts, below('m'), clock);
    await clock.advance(59_999);
    expect(calls).toEqual(['mount', 'unmount']);
    await clock.advance(1);
    await cleaned;
    expect(calls).toEqual(['mount', 'unmount', 'force-unmount']);
    expect(await readdir(folder)).toEqual([]);

    await mkdir(below('m'));
    await mounts.mount({ source: 'server:/', target: below('m'), fsType: 'nfs' });
    mounts.beforeEach = () => Promise.reject(new KubeletError('busy', { code: 'internal' }));
    await expect(forceCleanMountPoint(mounts, below('m'), clock)).rejects.toThrow('busy');
  });
});
