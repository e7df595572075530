import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { errnoWords, isMissing } from '@podwright/errors';

/**
 * Makes a directory and those above it; resolves with the first one that was missing. As Go's MkdirAll, rejects with an
 * error whose `path` is the one that could not be made, and whose message has Go's words, because events show it. The
 * recursive `mkdir` of Node 20 says "no such file or directory" on a full disk, too. Where no directory can be made
 * below one that exists, as in /proc, that `mkdir` never ends, and neither does the process.
 */
export async function makeDirectory(directory: string, mode = 0o777): Promise<string | undefined> {
  const fault = await makeOne(directory, mode);
  if (fault === undefined) return directory;
  const isThere = isMissing(fault) ? undefined : await isDirectory(directory);
  if (isThere === true) return undefined;
  if (isThere === false) throw notADirectory(directory);
  const parent = path.dirname(directory);
  if (parent === directory) throw fault;
  const above = await makeDirectory(parent, mode);
  const second = await makeOne(directory, mode);
  // Somebody else may have made it meanwhile.
  if (second !== undefined && (await isDirectory(directory)) !== true) throw second;
  return above ?? directory;
}

/** The error, if there is one. */
async function makeOne(directory: string, mode: number): Promise<Error | undefined> {
  try {
    await mkdir(directory, { mode });
    return undefined;
  } catch (error) {
    return inGoWords(directory, error);
  }
}

/** Follows links. Undefined for what cannot be looked at: making it says why. */
async function isDirectory(file: string): Promise<boolean | undefined> {
  return stat(file).then(
    (found) => found.isDirectory(),
    () => undefined,
  );
}

function notADirectory(file: string): Error {
  return inGoWords(file, { code: 'ENOTDIR' });
}

function inGoWords(file: string, cause: unknown): Error {
  const { code } = cause as NodeJS.ErrnoException;
  const error = new Error(`mkdir ${file}: ${errnoWords(cause)}`, { cause });
  return Object.assign(error, { code, syscall: 'mkdir', path: file });
}
