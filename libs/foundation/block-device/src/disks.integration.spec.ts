import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanMountPoint, createMountTools, deviceOfMount, mountReferences } from '@podwright/filesystem';
import { createMemoryLogger } from '@podwright/logging';
import { createDiskTools, createLoopDevices, deviceSizeBytes, isDeviceOpen } from './index.js';

const run = promisify(execFile);
const megabyte = 1024 * 1024;
// The kernel grows a mounted ext4 only for a process with CAP_SYS_RESOURCE.
const capabilities = BigInt(`0x${/^CapEff:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`);
const itWithResources = (capabilities >> 24n) & 1n ? it : it.skip;

describe('real disks', () => {
  const mounts = createMountTools();
  const disks = createDiskTools({ mounts, logger: createMemoryLogger() });
  const loops = createLoopDevices();
  let dir = '';
  let file = '';
  let target = '';
  let device = '';

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'disks-'));
    file = join(dir, 'disk');
    target = join(dir, 'mounted');
    await writeFile(file, '');
    await truncate(file, 32 * megabyte);
    await mkdir(target);
    device = await loops.attach(file);
  });
  afterEach(async () => {
    await cleanMountPoint(mounts, target);
    await loops.detach(device);
    await rm(dir, { recursive: true });
  });

  const firstBytes = async (): Promise<string> => (await readFile(file)).subarray(0, megabyte).toString('base64');

  it('are formatted when they are empty, and checked when they are not', async () => {
    expect(await disks.format(device)).toBe('');
    await disks.formatAndMount({ source: device, target });
    await writeFile(join(target, 'kept'), 'data');
    expect(await disks.format(device)).toBe('ext4');
    expect([await isDeviceOpen(device), await deviceSizeBytes(device)]).toEqual([true, 32 * megabyte]);
    expect(await deviceOfMount(mounts, target)).toEqual({ device, mountCount: 1 });
    await mounts.unmount(target);
    expect(await isDeviceOpen(device)).toBe(false);

    await disks.formatAndMount({ source: device, target });
    expect(await readFile(join(target, 'kept'), 'utf8')).toBe('data');
  });

  itWithResources('grow while they are mounted', async () => {
    await disks.formatAndMount({ source: device, target });
    const blocks = async (): Promise<number> => Number((await run('stat', ['-f', '-c', '%b', target])).stdout);
    const before = await blocks();
    await truncate(file, 64 * megabyte);
    await loops.updateSize(device);
    await disks.resize(device, target);
    expect(await blocks()).toBeGreaterThan(before * 1.8);
    expect(await deviceSizeBytes(device)).toBe(64 * megabyte);
  });

  it('with a partition table are neither formatted nor mounted', async () => {
    const table = Buffer.alloc(512);
    table.set([0x80, 0, 2, 0, 0x83, 0, 8, 0, 1, 0, 0, 0, 0xff, 0x0f, 0, 0], 446);
    table.set([0x55, 0xaa], 510);
    // Through the device: what is written to the file below it, the device's own cache may not show.
    await writeFile(join(dir, 'table'), table);
    await run('dd', [`if=${join(dir, 'table')}`, `of=${device}`, 'bs=512', 'count=1', 'conv=fsync']);
    const before = await firstBytes();
    expect(await disks.format(device)).toBe('unknown data, probably partitions');
    await expect(disks.formatAndMount({ source: device, target })).rejects.toMatchObject({
      reason: 'FilesystemMismatch',
    });
    expect(await firstBytes()).toBe(before);
  });

  it('with another file system are left as they are', async () => {
    await run('mkswap', [device]);
    const before = await firstBytes();
    await expect(disks.formatAndMount({ source: device, target })).rejects.toMatchObject({
      reason: 'FilesystemMismatch',
    });
    expect(await firstBytes()).toBe(before);
  });

  it('that are empty and mounted read-only stay empty', async () => {
    const before = await firstBytes();
    await expect(disks.formatAndMount({ source: device, target, options: ['ro'] })).rejects.toMatchObject({
      reason: 'UnformattedReadOnly',
    });
    expect(await firstBytes()).toBe(before);
  });

  it('that cannot be opened are not taken for empty ones', async () => {
    const gone = join(dir, 'gone');
    await expect(disks.formatAndMount({ source: gone, target })).rejects.toMatchObject({
      reason: 'GetDiskFormatFailed',
    });
    await expect(stat(gone)).rejects.toThrow('ENOENT');
  });

  it('are bound with their flags, and all their mounts are found', async () => {
    await disks.formatAndMount({ source: device, target, options: ['noexec', 'nosuid'] });
    const bound = join(dir, 'bound');
    await mkdir(bound);
    try {
      await mounts.mount({ source: target, target: bound, options: ['bind', 'ro'] });
      expect(await mountReferences(mounts, target)).toEqual([bound]);
      const entry = (await mounts.list()).find(({ mountPoint }) => mountPoint === bound);
      expect(entry?.options).toEqual(expect.arrayContaining(['ro', 'noexec', 'nosuid']));
      await expect(writeFile(join(bound, 'file'), '')).rejects.toThrow('EROFS');
    } finally {
      await cleanMountPoint(mounts, bound);
    }
  });
});

describe('loop devices', () => {
  const loops = createLoopDevices();

  it('are found by their file, also when it is gone, and detached twice', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'loops-'));
    const file = join(dir, 'file');
    await writeFile(file, '');
    await truncate(file, megabyte);
    const device = await loops.attach(file);
    try {
      expect(await loops.attach(file)).toBe(device);
      await rm(file);
      expect(await loops.find(file)).toBe(device);
    } finally {
      await loops.detach(device);
      await loops.detach(device);
      await rm(dir, { recursive: true });
    }
    expect(await loops.find(file)).toBeUndefined();
  });
});
