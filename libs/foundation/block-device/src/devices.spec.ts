import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deviceNumber, deviceSizeBytes, isDeviceOpen, multipathDevice, multipathSlaves } from './index.js';

let dir = '';
let sys = '';
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'devices-')));
  sys = join(dir, 'block');
  await mkdir(join(sys, 'sda'), { recursive: true });
});
afterEach(() => rm(dir, { recursive: true }));

describe('multipath', () => {
  it('finds the device over a disk, also by a link, and its disks', async () => {
    for (const name of ['sdb', 'sdc']) {
      await writeFile(join(dir, name), '');
      await mkdir(join(sys, 'dm-1/slaves', name), { recursive: true });
    }
    await mkdir(join(sys, 'dm-0/slaves'), { recursive: true });
    await symlink(join(dir, 'sdb'), join(dir, 'by-path'));
    expect(await multipathDevice(join(dir, 'by-path'), sys)).toBe('/dev/dm-1');
    expect(await multipathSlaves('/dev/dm-1', sys)).toEqual(['/dev/sdb', '/dev/sdc']);
  });

  it('finds none for a plain disk, a missing one, and without sysfs', async () => {
    await writeFile(join(dir, 'sdd'), '');
    expect(await multipathDevice(join(dir, 'sdd'), sys)).toBeUndefined();
    expect(await multipathDevice(join(dir, 'sdd'), join(dir, 'none'))).toBeUndefined();
    expect(await multipathDevice(join(dir, 'none'), sys)).toBeUndefined();
    expect([await multipathSlaves('/dev/sdd', sys), await multipathSlaves('/dev/dm-7', sys)]).toEqual([[], []]);
  });
});

describe('devices', () => {
  it('have numbers as the kernel writes them', () => {
    expect([deviceNumber(0x801), deviceNumber(0x10305), deviceNumber(0x100700)]).toEqual(['8:1', '259:5', '7:256']);
  });

  it('are neither open nor of any size when they are something else', async () => {
    await writeFile(join(dir, 'file'), 'x');
    expect([await isDeviceOpen(join(dir, 'file')), await isDeviceOpen(join(dir, 'none'))]).toEqual([false, false]);
    await expect(deviceSizeBytes(join(dir, 'file'))).rejects.toThrow('is no block device');
  });
});
