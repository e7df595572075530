import { rmdir, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing, messageOf } from '@podwright/errors';
import { isMountPoint, type MountTools } from '@podwright/filesystem';
import type { CsiVolumeDeps } from '../csi-volume-deps.js';
import { csiText } from '../csi-text.js';
import { csiStep } from './csi-step.js';
import { removeVolumeData, volumeDataFile } from './volume-data.js';

/**
 * Removes the target of a driver's call, the data file next to it and their folder. Resolves with false, and removes
 * nothing, while something is mounted on the target. Nothing but the data file may be left in the folder. A second call
 * finishes what a killed one began: the data file goes after the target, because it says how to take the target down.
 * Source: kubernetes v1.36 pkg/volume/csi/csi_mounter.go removeMountDir.
 */
export async function removeVolumeFolder(mounts: Pick<MountTools, 'list'>, target: string): Promise<boolean> {
  if (await isMounted(mounts, target)) return false;
  const folder = dirname(target);
  await csiStep(csiText(`failed to remove dir [${target}]`), () => removeEntry(target));
  await csiStep(csiText(`failed to delete volume data file [${volumeDataFile(folder)}]`), () =>
    removeVolumeData(folder),
  );
  await csiStep(csiText(`failed to delete volume path [${folder}]`), () => removeEntry(folder));
  return true;
}

/**
 * Removes the target of a call that the driver has refused for good, with all that belongs to it; what cannot be removed
 * is logged. Resolves with false when the driver has mounted something there nevertheless: then it must be asked to take
 * it down. Upstream takes the driver's word for it, and leaves the mount behind.
 */
export async function removeFailedMount(
  { mounts, logger }: Pick<CsiVolumeDeps, 'mounts' | 'logger'>,
  target: string,
  caller: string,
): Promise<boolean> {
  try {
    if (await removeVolumeFolder(mounts, target)) return true;
    logger.warn(csiText(`${caller} failed, but the driver has mounted the volume at ${target}; it is unmounted later`));
    return false;
  } catch (error) {
    const text = `${caller} failed to remove mount dir after error [${target}]: ${messageOf(error)}`;
    logger.error(csiText(text));
    return true;
  }
}

/** Whether something is mounted on a path that may be missing. */
export async function isMounted(mounts: Pick<MountTools, 'list'>, path: string): Promise<boolean> {
  return isMountPoint(mounts, path).catch((error: unknown) => {
    if (isMissing(error)) return false;
    throw error;
  });
}

/** Removes an empty folder, a file or a link; never what is in a folder. A missing path is no error. */
export async function removeEntry(path: string): Promise<void> {
  try {
    await rmdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTDIR') throw error;
      return unlink(path);
    });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
