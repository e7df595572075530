import { access, readdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isMissing } from '@podwright/errors';

/**
 * The multipath device (`/dev/dm-<n>`) over a disk such as `/dev/sdb` or a link to one, the device itself if it is one,
 * or undefined. Source: kubernetes v1.36 pkg/volume/util/device_util_linux.go FindMultipathDeviceForDevice.
 */
export async function multipathDevice(device: string, sysBlock = '/sys/block'): Promise<string | undefined> {
  const disk = await unlessMissing(realpath(device));
  if (disk === undefined) return undefined;
  if (disk.startsWith('/dev/dm-')) return disk;
  for (const name of (await unlessMissing(readdir(sysBlock))) ?? []) {
    if (!name.startsWith('dm-')) continue;
    const isSlave = await unlessMissing(access(join(sysBlock, name, 'slaves', basename(disk))).then(() => true));
    if (isSlave === true) return `/dev/${name}`;
  }
  return undefined;
}

/**
 * The disks below a multipath device such as `/dev/dm-0`, as `/dev/<name>`; none for any other path. Source: kubernetes
 * v1.36 pkg/volume/util/device_util_linux.go FindSlaveDevicesOnMultipath.
 */
export async function multipathSlaves(device: string, sysBlock = '/sys/block'): Promise<readonly string[]> {
  if (!device.startsWith('/dev/dm-')) return [];
  const slaves = await unlessMissing(readdir(join(sysBlock, basename(device), 'slaves')));
  return (slaves ?? []).map((name) => `/dev/${name}`);
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
