import { constants } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { isMissing, KubeletError } from '@podwright/errors';

const sectorBytes = 512;

/**
 * The size of a block device. Read from sysfs, so the device need not answer. Rejects with `invalid-argument` for
 * anything else than a block device.
 */
export async function deviceSizeBytes(path: string, sysDevBlock = '/sys/dev/block'): Promise<number> {
  const stats = await stat(path);
  if (!stats.isBlockDevice()) throw new KubeletError(`${path} is no block device`, { code: 'invalid-argument' });
  const sectors = await readFile(`${sysDevBlock}/${deviceNumber(stats.rdev)}/size`, 'utf8');
  return Number(sectors.trim()) * sectorBytes;
}

/** `major:minor` of a device number, as sysfs and the mount table have it. Source: glibc sys/sysmacros.h. */
export function deviceNumber(rdev: number): string {
  const number = BigInt(rdev);
  const major = ((number >> 8n) & 0xfffn) | ((number >> 32n) & 0xfffff000n);
  const minor = (number & 0xffn) | ((number >> 12n) & 0xffffff00n);
  return `${major}:${minor}`;
}

/**
 * Whether something uses a block device exclusively, such as a mount or device mapper: it must not be detached then.
 * False for a missing path and for anything else than a block device. Source: kubernetes v1.36
 * pkg/volume/util/hostutil/hostutil_linux.go ExclusiveOpenFailsOnDevice.
 */
export async function isDeviceOpen(path: string): Promise<boolean> {
  try {
    if (!(await stat(path)).isBlockDevice()) return false;
    // Without O_CREAT, O_EXCL asks for exclusive use.
    const handle = await open(path, constants.O_RDONLY | constants.O_EXCL | constants.O_NONBLOCK);
    await handle.close();
    return false;
  } catch (error) {
    if (isMissing(error)) return false;
    if ((error as NodeJS.ErrnoException).code === 'EBUSY') return true;
    throw error;
  }
}
