import { rmdir } from 'node:fs/promises';
import { isMissing } from '@podwright/errors';
import { exists, isMountPoint, mountOnce, type MountTools } from '@podwright/filesystem';
import type { FlexParts } from './flex-parts.js';

/**
 * Lets the driver mount on a directory. When that fails only the directory is removed, if it is empty: what a driver
 * mounted, it unmounts itself in the next tear-down.
 */
export async function mountByDriver(
  { mounts, logger }: FlexParts,
  target: string,
  mount: () => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  const onLeft = (error: unknown): void =>
    logger.warn('A directory stays after a driver failed to mount', { target, error });
  return mountOnce({ mounts, target, mount, undo: () => removeDirectory(target), onLeft }, signal);
}

/** Whether a path is there. Does not touch what is mounted on it: that may be broken, or a server that is gone. */
export async function isThere(path: string, mounts: Pick<MountTools, 'list'>): Promise<boolean> {
  return (await isMountPoint(mounts, path)) || exists(path);
}

/** Removes an empty directory; the driver may have removed it already. */
export async function removeDirectory(path: string): Promise<void> {
  await rmdir(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}
