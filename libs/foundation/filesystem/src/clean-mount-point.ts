import { rmdir } from 'node:fs/promises';
import { hasCode, isMissing, KubeletError } from '@podwright/errors';
import type { Clock } from '@podwright/time';
import { isMountPoint } from './mount-point.js';
import type { MountTools } from './mount-tools.js';

/**
 * Unmounts a path, if it is mounted, and removes its directory, which must then be empty. A missing path is no error.
 * Touches the path only when nothing is mounted there, so a broken or hung mount does not matter. Source: kubernetes
 * v1.36 mount-utils/mount_helper_common.go CleanupMountPoint.
 */
export async function cleanMountPoint(mounts: MountTools, path: string, signal?: AbortSignal): Promise<void> {
  await clean(mounts, path, () => mounts.unmount(path, signal));
}

/** Upstream's limit, after which it forces the unmount. */
const forceAfterMs = 60_000;

/**
 * As {@link cleanMountPoint}, for a network file system: when umount takes longer than a minute, it is forced. Source:
 * kubernetes v1.36 mount-utils/mount_linux.go UnmountWithForce.
 */
export async function forceCleanMountPoint(
  mounts: MountTools,
  path: string,
  clock: Pick<Clock, 'deadline'>,
  signal?: AbortSignal,
): Promise<void> {
  const within = async (options: { readonly force: boolean }): Promise<void> => {
    const deadline = clock.deadline(forceAfterMs, signal);
    await mounts.unmount(path, deadline.signal, options).finally(deadline.dispose);
  };
  await clean(mounts, path, async () => {
    try {
      await within({ force: false });
    } catch (error) {
      if (signal?.aborted === true || !hasCode(error, 'deadline-exceeded')) throw error;
      await within({ force: true });
    }
  });
}

async function clean(mounts: MountTools, path: string, unmount: () => Promise<void>): Promise<void> {
  if (await isMountPoint(mounts, path)) {
    await unmount();
    if (await isMountPoint(mounts, path)) {
      throw new KubeletError(`failed to cleanup mount point ${path}`, { code: 'failed-precondition' });
    }
  }
  await rmdir(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}
