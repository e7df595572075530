import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { KubeletError, messageOf } from '@podwright/errors';
import { removeOneFileSystem } from '@podwright/filesystem';
import { cleanSubPaths } from './clean-sub-paths.js';
import type { SubPathDeps } from './clean-sub-paths.js';
import { namesIn, volumesOnDisk } from './pod-volume-paths.js';

export interface RemovedPodDir {
  readonly volumes: number;
}

/**
 * Removes the directory of a pod that nobody knows any more and in which nothing is mounted. Volumes are removed only
 * when they are empty: what is left in one may be data that a half-failed unmount has not given back. The first error
 * ends it, with everything after it left as it is. Source: kubernetes v1.36 pkg/kubelet/kubelet_volumes.go.
 */
export async function removePodDir(
  podUid: string,
  podDir: string,
  deps: SubPathDeps,
  signal: AbortSignal,
): Promise<RemovedPodDir> {
  const fail = (problem: string, error: unknown): KubeletError =>
    new KubeletError(`orphaned pod ${JSON.stringify(podUid)} found, but ${problem}: ${messageOf(error)}`, {
      code: 'failed-precondition',
      cause: error,
    });
  const volumes = await volumesOnDisk(podDir);
  for (const { folder, path } of volumes) {
    for (const target of folder === 'kubernetes.io~csi' ? [join(path, 'mount'), path] : [path]) {
      await removeEmpty(target).catch((error: unknown) => {
        throw fail(`failed to rmdir() volume at path ${target}`, error);
      });
    }
  }
  const subPaths = join(podDir, 'volume-subpaths');
  for (const name of await namesIn(subPaths)) {
    await cleanSubPaths(podDir, name, deps, signal).catch((error: unknown) => {
      throw fail(`failed to remove subpath at path ${join(subPaths, name)}`, error);
    });
  }
  await removeOneFileSystem(join(podDir, 'volumes'), { directoriesOnly: true }).catch((error: unknown) => {
    throw fail('error occurred when trying to remove the volumes dir', error);
  });
  for (const name of await namesIn(podDir)) {
    await removeOneFileSystem(join(podDir, name)).catch((error: unknown) => {
      throw fail(`error occurred when trying to remove subdir ${JSON.stringify(join(podDir, name))}`, error);
    });
  }
  await removeEmpty(podDir).catch((error: unknown) => {
    throw fail('error occurred when trying to remove the pod directory', error);
  });
  return { volumes: volumes.length };
}

async function removeEmpty(path: string): Promise<void> {
  await rmdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
