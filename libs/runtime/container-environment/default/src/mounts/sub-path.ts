import { lstat, open, realpath, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { makeDirectory } from '@podwright/filesystem';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { BindMounts } from './bind-mounts.js';
import { openSubPath } from './open-sub-path.js';

export interface SubPathRequest {
  /** `<root>/pods/<uid>`. */
  readonly podDir: string;
  /** Name of the volume in the pod's spec. */
  readonly volumeName: string;
  /** Name of the volume on disk, such as that of its PersistentVolume: the volume manager cleans up by this name. */
  readonly specName: string;
  readonly volumePath: string;
  readonly containerName: string;
  /** Index of the mount in the container's list. */
  readonly mountIndex: number;
  readonly subPath: string;
}

/**
 * Bind mounts a part of a volume at `<pod dir>/volume-subpaths/<volume>/<container>/<index>` and resolves to that path.
 * The mount stays on the checked file or directory, whatever a container does to the volume afterwards. The volume
 * manager unmounts it before it tears the volume down. The log has the details of a failure; the error, as upstream's,
 * does not.
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
  await step('prepare subPath', () => mounts.requireAnswer(request.volumePath));
  // As upstream: "create" is for a missing path; for one that leads out of the volume, or through a file, the error says
  // "prepare".
  const problem = (await isMissing(join(request.volumePath, request.subPath)))
    ? 'create subPath directory'
    : 'prepare subPath';
  const source = await step(problem, () => openSubPath(request.volumePath, request.subPath));
  try {
    return await step('prepare subPath', () => bind(source, request, mounts));
  } finally {
    await source.close();
  }
}

async function bind(source: FileHandle, request: SubPathRequest, mounts: BindMounts): Promise<string> {
  const { podDir, specName, containerName, mountIndex } = request;
  const folder = join(podDir, 'volume-subpaths', specName, containerName);
  await makeDirectory(folder, 0o750);
  // The mount table has only paths without links, and the root directory may be a link.
  const target = join(await realpath(folder), String(mountIndex));
  const wanted = await source.stat();
  if (await mounts.isMounted(target)) {
    const present = await stat(target);
    if (present.dev === wanted.dev && present.ino === wanted.ino) return target;
    await mounts.unmount(target);
  }
  await rm(target, { recursive: false, force: true }).catch(refuseDirectory);
  if (wanted.isDirectory()) await makeDirectory(target, 0o750);
  else await (await open(target, 'w', 0o640)).close();
  try {
    await mounts.bind(`/proc/${process.pid}/fd/${source.fd}`, target);
  } catch (error) {
    await removeUnused(target, podDir, mounts);
    throw error;
  }
  return target;
}

/** Removes the target of a mount that failed, and its parents that are empty now, up to the directory of the pod. */
async function removeUnused(target: string, podDir: string, mounts: BindMounts): Promise<void> {
  // A bind mount that was made, but not with its flags.
  if (await mounts.isMounted(target)) await mounts.unmount(target);
  const isDirectory = (await lstat(target)).isDirectory();
  await (isDirectory ? rmdir(target) : unlink(target));
  const end = await realpath(podDir);
  for (let parent = dirname(target); parent !== end && parent.startsWith(end); parent = dirname(parent)) {
    const isRemoved = await rmdir(parent).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOTEMPTY') return false;
        throw error;
      },
    );
    if (!isRemoved) return;
  }
}

async function isMissing(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

/**
 * `rm` removes a file that is in the way. An earlier run's directory stays: it is used again, or a file in its place
 * fails.
 */
function refuseDirectory(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_FS_EISDIR' && error.code !== 'EISDIR') throw error;
}
