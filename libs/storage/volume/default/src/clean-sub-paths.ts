import { rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { mountsBelow } from '@podwright/filesystem';
import type { MountTools } from '@podwright/filesystem';
import { namesIn } from './pod-volume-paths.js';

export interface SubPathDeps {
  readonly mounts: MountTools;
}

const folder = 'volume-subpaths';

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
  for (const path of await subPathsOf(podDir, volumeName)) await removeSubPath(path, deps, signal);
  const ofPod = join(podDir, folder);
  const ofVolume = join(ofPod, volumeName);
  for (const container of await namesIn(ofVolume)) await removeIfEmpty(join(ofVolume, container));
  await removeIfEmpty(ofVolume);
  await removeIfEmpty(ofPod);
}

/** Where parts of a volume are bind mounted for containers; without a name, parts of all volumes of the pod. */
export async function subPathsOf(podDir: string, volumeName?: string): Promise<readonly string[]> {
  const ofPod = join(podDir, folder);
  const found: string[] = [];
  for (const volume of volumeName === undefined ? await namesIn(ofPod) : [volumeName]) {
    for (const container of await namesIn(join(ofPod, volume))) {
      const indexes = await namesIn(join(ofPod, volume, container));
      found.push(...indexes.map((index) => join(ofPod, volume, container, index)));
    }
  }
  return found;
}

/** Unmounts one of {@link subPathsOf} and removes its directory or file. */
export async function removeSubPath(path: string, { mounts }: SubPathDeps, signal: AbortSignal): Promise<void> {
  for (const { mountPoint } of mountsBelow(await mounts.list(), path)) await mounts.unmount(mountPoint, signal);
  await removeEntry(path);
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
