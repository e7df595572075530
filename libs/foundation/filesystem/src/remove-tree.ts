import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { KubeletError } from '@podwright/errors';

export interface RemoveOptions {
  /** Remove directories alone; a file anywhere below is an error. Default false. */
  readonly directoriesOnly?: boolean;
}

/**
 * Removes a tree without following links and without leaving its file system: a directory of another device is refused,
 * as a mount below may hold the data of somebody else. Goes on after an error and throws the first. Missing is fine.
 * Source: kubernetes v1.36 pkg/util/removeall.
 */
export async function removeOneFileSystem(path: string, options: RemoveOptions = {}): Promise<void> {
  const found = await statOf(path);
  if (found === undefined) return;
  await removeTree(path, found, found.dev, options.directoriesOnly === true);
}

async function removeTree(path: string, found: Stats, device: number, directoriesOnly: boolean): Promise<void> {
  if (!found.isDirectory()) {
    if (directoriesOnly)
      throw new KubeletError(`cannot delete ${path}: it is no directory`, { code: 'failed-precondition' });
    await missingIsFine(unlink(path));
    return;
  }
  if (found.dev !== device) {
    throw new KubeletError(`cannot delete directory ${path}: it is a mount point`, { code: 'failed-precondition' });
  }
  let first: { readonly error: unknown } | undefined;
  for (const name of await readdir(path)) {
    const child = join(path, name);
    try {
      const stats = await statOf(child);
      if (stats !== undefined) await removeTree(child, stats, device, directoriesOnly);
    } catch (error) {
      first ??= { error };
    }
  }
  if (first !== undefined) throw first.error;
  await missingIsFine(rmdir(path));
}

async function statOf(path: string): Promise<Stats | undefined> {
  return missingIsFine(lstat(path));
}

async function missingIsFine<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
