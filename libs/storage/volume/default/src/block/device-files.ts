import { constants } from 'node:fs';
import { mkdir, open, readdir, readlink, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, KubeletError } from '@podwright/errors';
import type { MountTools } from '@podwright/filesystem';

/** Binds a device to `<folder>/<name>`. Does nothing when a device is there. */
export async function bindDevice(
  device: string,
  path: MapPath,
  mounts: MountTools,
  signal: AbortSignal,
): Promise<void> {
  const target = await prepare(device, path);
  if (await isDevice(target)) return;
  // A file without a mount is there after a reboot.
  await (await open(target, constants.O_CREAT | constants.O_RDWR, 0o750)).close();
  try {
    await mounts.mount({ source: device, target, options: ['bind'], signal });
  } catch (error) {
    throw failed(`failed to bind mount devicePath: ${device} to linkPath ${target}`, error);
  }
}

/** Links `<folder>/<name>` to a device. A link of an earlier boot is replaced: the device may have another name now. */
export async function linkDevice(device: string, path: MapPath): Promise<void> {
  const link = await prepare(device, path);
  await rm(link, { force: true });
  await symlink(device, link);
}

export async function unbindDevice({ folder, name }: MapPath, mounts: MountTools, signal: AbortSignal): Promise<void> {
  const target = join(folder, name);
  try {
    if (await isDevice(target)) await mounts.unmount(target, signal);
  } catch (error) {
    throw failed(`failed to unmount linkPath ${target}`, error);
  }
  await rm(target, { force: true });
}

/** Leaves alone what is no link. */
export async function unlinkDevice({ folder, name }: MapPath): Promise<void> {
  const link = join(folder, name);
  try {
    await readlink(link);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EINVAL') return;
    throw error;
  }
  await rm(link, { force: true });
}

/** Paths of the devices in a folder; none when the folder is missing. */
export async function devicesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const devices: string[] = [];
  for (const name of names.sort()) {
    if (await isDevice(join(folder, name))) devices.push(join(folder, name));
  }
  return devices;
}

/** Whether the path is a device file; false when nothing is there. */
export async function isDevice(path: string): Promise<boolean> {
  try {
    const found = await stat(path);
    return found.isBlockDevice() || found.isCharacterDevice();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

interface MapPath {
  readonly folder: string;
  readonly name: string;
}

async function prepare(device: string, { folder, name }: MapPath): Promise<string> {
  if (device === '')
    throw new KubeletError('failed to map device to map path. devicePath is empty', { code: 'internal' });
  await mkdir(folder, { recursive: true, mode: 0o750 });
  return join(folder, name);
}

function failed(what: string, error: unknown): KubeletError {
  const { code, message } = KubeletError.from(error);
  return new KubeletError(`${what}: ${message}`, { code, cause: error });
}
