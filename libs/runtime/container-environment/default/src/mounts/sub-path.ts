import { mkdir, open, realpath, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { BindMounts } from './bind-mounts.js';
import { openInside } from './safe-directory.js';

export interface SubPathRequest {
  /** `<root>/pods/<uid>`. */
  readonly podDir: string;
  readonly volumeName: string;
  readonly volumePath: string;
  readonly containerName: string;
  /** Index of the mount in the container's list. */
  readonly mountIndex: number;
  readonly subPath: string;
}

/**
 * Binds a part of a volume to `<pod dir>/volume-subpaths/<volume>/<container>/<index>` and gives that path: what is
 * mounted there stays the checked directory, whatever a container does to the volume afterwards. The volume manager
 * takes the mount away before it tears the volume down. Details of failures are logged, as upstream shows none.
 */
export async function prepareSubPath(request: SubPathRequest, mounts: BindMounts, logger: Logger): Promise<string> {
  const { volumeName, containerName } = request;
  const what = `for volumeMount ${JSON.stringify(volumeName)} of container ${JSON.stringify(containerName)}`;
  const step = async <T>(problem: string, task: () => Promise<T>): Promise<T> => {
    try {
      return await task();
    } catch (error) {
      logger.error(`failed to ${problem}`, { ...request, error });
      throw new KubeletError(`failed to ${problem} ${what}`, { code: 'internal', cause: error });
    }
  };
  // As upstream sees it, a path that leads out of the volume is there and cannot be used; only a missing one is made.
  const problem = (await exists(join(request.volumePath, request.subPath)))
    ? 'prepare subPath'
    : 'create subPath directory';
  const source = await step(problem, () => openInside(request.volumePath, request.subPath));
  try {
    return await step('prepare subPath', () => bind(source, request, mounts));
  } finally {
    await source.close();
  }
}

async function bind(source: FileHandle, request: SubPathRequest, mounts: BindMounts): Promise<string> {
  const { podDir, volumeName, containerName, mountIndex } = request;
  const folder = join(podDir, 'volume-subpaths', volumeName, containerName);
  await mkdir(folder, { recursive: true, mode: 0o750 });
  // The mount table knows paths without links only, and the root directory may be a link.
  const target = join(await realpath(folder), String(mountIndex));
  const wanted = await source.stat();
  if (await mounts.isMounted(target)) {
    const present = await stat(target);
    if (present.dev === wanted.dev && present.ino === wanted.ino) return target;
    await mounts.unmount(target);
  }
  await rm(target, { recursive: false, force: true }).catch(refuseDirectory);
  if (wanted.isDirectory()) await mkdir(target, { recursive: true, mode: 0o750 });
  else await (await open(target, 'w', 0o640)).close();
  await mounts.bind(`/proc/${process.pid}/fd/${source.fd}`, target);
  return target;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** A directory left by an earlier run is used again or fails the making of a file; a file in its way is removed. */
function refuseDirectory(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_FS_EISDIR' && error.code !== 'EISDIR') throw error;
}
