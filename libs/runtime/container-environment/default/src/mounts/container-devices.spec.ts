import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { DeepPartial, Device } from '@podwright/cri-client-interface';
import type { MountedVolume } from '@podwright/volume-interface';
import { makeDevices } from './container-devices.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'devices-'));
  await symlink('/dev/null', join(dir, 'link'));
  await writeFile(join(dir, 'file'), '');
});
afterEach(() => rm(dir, { recursive: true }));

const disk = (changed: Partial<MountedVolume> = {}): MountedVolume => ({
  name: 'disk',
  hostPath: join(dir, 'link'),
  isBlockDevice: true,
  readOnly: false,
  managed: false,
  selinuxRelabel: false,
  ...changed,
});
const devices = (
  volumes: readonly MountedVolume[],
  ...volumeDevices: { name: string; devicePath: string }[]
): Promise<DeepPartial<Device>[]> => makeDevices({ name: 'app', volumeDevices }, volumes);

it('gives the links of the pod to its devices, in order', async () => {
  const raw = { name: 'disk', devicePath: '/dev/raw' };
  const readOnly = disk({ name: 'other', readOnly: true });
  expect(await devices([disk(), readOnly], { name: 'other', devicePath: '/dev/x' }, raw)).toEqual([
    { hostPath: join(dir, 'link'), containerPath: '/dev/x', permissions: 'r' },
    { hostPath: join(dir, 'link'), containerPath: '/dev/raw', permissions: 'mrw' },
  ]);
  expect(await makeDevices({ name: 'app' }, [disk()])).toEqual([]);
});

it('leaves out a device whose link is missing, or is no link', async () => {
  const raw = { name: 'disk', devicePath: '/dev/raw' };
  expect(await devices([disk({ hostPath: join(dir, 'gone') })], raw)).toEqual([]);
  expect(await devices([disk({ hostPath: join(dir, 'file') })], raw)).toEqual([]);
});

it('uses the texts of upstream for what cannot be', async () => {
  await expect(devices([disk()], { name: 'disk', devicePath: 'raw' })).rejects.toThrow(
    'error DevicePath `raw` must be an absolute path',
  );
  const raw = { name: 'disk', devicePath: '/dev/raw' };
  const refusal = 'cannot find volume "disk" to pass into container "app"';
  await expect(devices([], raw)).rejects.toThrow(refusal);
  await expect(devices([disk({ isBlockDevice: false })], raw)).rejects.toThrow(refusal);
});
