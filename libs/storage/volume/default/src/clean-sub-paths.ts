import { rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { mountsBelow } from '@podwright/filesystem';
import type { MountTools } from '@podwright/filesystem';
import { namesIn } from './pod-volume-paths.js';

export interface SubPathDeps {
  readonly mounts: MountTools;
}

/**
 * Removes the bind mounts for subPaths of a volume: `volume-subpaths/<volume>/<container>/<index>`. Never removes a
 * directory with content. Source: kubernetes v1.36 pkg/volume/util/subpath.
 */
export async function cleanSubPaths(
  podDir: string,
  volumeName: string,
  deps: SubPathDeps,
  signal: AbortSignal,
): Promise<void> {
  const ofPod = join(podDir, 'volume-subpaths');
  const ofVolume = join(ofPod, volumeName);
  const containers = await namesIn(ofVolume);
  if (containers.length > 0) {
    for (const { mountPoint } of mountsBelow(await deps.mounts.list(), ofVolume))
      await deps.mounts.unmount(mountPoint, signal);
  }
  for (const container of containers) {
    for (const index of await namesIn(join(ofVolume, container))) await removeEntry(join(ofVolume, container, index));
    await removeIfEmpty(join(ofVolume, container));
  }
  await removeIfEmpty(ofVolume);
  await removeIfEmpty(ofPod);
}

async function removeEntry(path: string): Promise<void> {
  await rmdir(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') await unlink(path);
    else if (error.code !== 'ENOENT') throw error;
  });
}

async function removeIfEmpty(path: string): Promise<void> {
  await rmdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTEMPTY' && error.code !== 'ENOTDIR') throw error;
  });
}
