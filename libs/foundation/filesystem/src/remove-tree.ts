import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { isMissing, KubeletError } from '@podwright/errors';

export interface RemoveOptions {
  /** Remove only directories; a file anywhere in the tree is an error. Default false. */
  readonly directoriesOnly?: boolean;
}

/**
 * Removes a tree, but does not follow links or leave its file system: a directory on another device is an error,
 * because a mount may contain data of others. Continues after an error and rejects with the first. A missing tree is no
 * error.
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
    if (isMissing(error)) return undefined;
    throw error;
  }
}
