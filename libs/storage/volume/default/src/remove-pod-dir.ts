import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoWords, KubeletError } from '@podwright/errors';
import { exists, removeOneFileSystem } from '@podwright/filesystem';
import { removeSubPath, subPathsOf, type SubPathDeps } from './clean-sub-paths.js';
import { namesIn, volumesOnDisk } from './pod-volume-paths.js';

/** What is left of an orphaned pod after an attempt to remove its directory. */
export interface RemovedPodDir {
  /** Of volumes; then nothing else was removed. */
  readonly volumeErrors: readonly KubeletError[];
  /** Of everything else. */
  readonly removalErrors: readonly KubeletError[];
}

/**
 * Removes the directory of an unknown pod in which nothing is mounted. Removes volume directories only when they are
 * empty: a file in one may be data that a failed unmount left. Never rejects for what cannot be removed. Source:
 * kubernetes v1.36 pkg/kubelet/kubelet_volumes.go.
 */
export async function removePodDir(
  podUid: string,
  podDir: string,
  deps: SubPathDeps,
  signal: AbortSignal,
): Promise<RemovedPodDir> {
  const errors: KubeletError[] = [];
  const attempt = async (problem: string, task: () => Promise<void>, goCall = ''): Promise<void> => {
    try {
      await task();
    } catch (error) {
      const message = `orphaned pod ${JSON.stringify(podUid)} found, but ${problem}: ${goCall}${errnoWords(error)}`;
      errors.push(new KubeletError(message, { code: 'failed-precondition', cause: error }));
    }
  };
  for (const { folder, path } of await volumesOnDisk(podDir)) {
    // The mount point of a CSI volume lies in its directory, which is removed with `volumes`.
    const target = folder === 'kubernetes.io~csi' ? join(path, 'mount') : path;
    await attempt(`failed to rmdir() volume at path ${target}`, () => removeEmpty(target));
  }
  for (const path of await subPathsOf(podDir)) {
    const remove = (): Promise<void> => removeSubPath(path, deps, signal);
    await attempt(`failed to remove subpath at path ${path}`, remove, `remove ${path}: `);
  }
  const volumesDir = join(podDir, 'volumes');
  await attempt('error occurred when trying to remove the volumes dir', () =>
    removeOneFileSystem(volumesDir, { directoriesOnly: true }),
  );
  const volumeErrors = errors.splice(0);
  if (volumeErrors.length > 0) return { volumeErrors, removalErrors: [] };
  for (const name of await namesIn(podDir)) {
    const path = join(podDir, name);
    await attempt(`error occurred when trying to remove subdir ${JSON.stringify(path)}`, async () => {
      // It was removed, and may now be somebody's data.
      if (path === volumesDir && (await exists(path))) throw new Error('volumes subdir was found after it was removed');
      await removeOneFileSystem(path);
    });
  }
  if (errors.length === 0) {
    await attempt('error occurred when trying to remove the pod directory', () => removeEmpty(podDir));
  }
  return { volumeErrors, removalErrors: errors };
}

async function removeEmpty(path: string): Promise<void> {
  await rmdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
