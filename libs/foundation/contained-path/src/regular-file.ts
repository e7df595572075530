import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { KubeletError } from '@podwright/errors';

/**
 * Opens a regular file for reading; the caller closes it. Rejects with Node's ELOOP when the last name of the path is a
 * symbolic link, and with `failed-precondition` when it is not a regular file. `shownAs` names the file in messages.
 */
export async function openRegularFile(path: string, shownAs = path): Promise<FileHandle> {
  // O_NONBLOCK: opening a pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if ((await file.stat()).isFile()) return file;
    throw new KubeletError(`${shownAs} is not a regular file`, { code: 'failed-precondition' });
  } catch (error) {
    await file.close();
    throw error;
  }
}
