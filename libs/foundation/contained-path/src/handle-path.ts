import type { FileHandle } from 'node:fs/promises';
import { KubeletError } from '@podwright/errors';

/**
 * Linux's O_PATH, for which Node has no name: a handle that does not open the device and does not wait for the pipe.
 */
export const openPath = 0o10000000;

/** A path to what a handle has open, wherever it was moved. Valid in this process, as long as the handle is open. */
export function handlePath(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}

/**
 * A path to one entry of an open folder, in place of openat, which Node lacks.
 * @throws KubeletError `invalid-argument` when `name` is not a single name, such as `..` or `a/b`.
 */
export function entryPath(folder: FileHandle, name: string): string {
  if (name === '' || name === '.' || name === '..' || name.includes('/')) {
    throw new KubeletError(`${JSON.stringify(name)} does not name an entry of a folder`, { code: 'invalid-argument' });
  }
  return `${handlePath(folder)}/${name}`;
}
