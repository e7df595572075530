import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '@podwright/errors';

/**
 * Makes a directory and those above it; resolves with the first one that was missing. The recursive `mkdir` of Node 20
 * says "no such file or directory" on a full disk, too; this says what it was. Where no directory can be made below one
 * that exists, as in /proc, that `mkdir` never ends, and neither does the process.
 */
export async function makeDirectory(directory: string, mode = 0o777): Promise<string | undefined> {
  const fault = await makeOne(directory, mode);
  if (fault === undefined) return directory;
  const parent = path.dirname(directory);
  if (!isMissing(fault) || parent === directory) {
    if (await isDirectory(directory)) return undefined;
    throw fault;
  }
  const above = await makeDirectory(parent, mode);
  const second = await makeOne(directory, mode);
  // Somebody else may have made it meanwhile.
  if (second !== undefined && !(await isDirectory(directory))) throw second;
  return above ?? directory;
}

/** The error, if there is one. */
async function makeOne(directory: string, mode: number): Promise<Error | undefined> {
  try {
    await mkdir(directory, { mode });
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

async function isDirectory(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
