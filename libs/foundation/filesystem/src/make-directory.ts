import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '@podwright/errors';

/**
 * Makes a directory and those above it; resolves with the first one that was missing. The recursive
 * `mkdir` of Node 20 says "no such file or directory" on a full disk, too; this says what it was.
 */
export async function makeDirectory(directory: string, mode = 0o777): Promise<string | undefined> {
  try {
    return await mkdir(directory, { recursive: true, mode });
  } catch (error) {
    if (!isMissing(error)) throw error;
    const above = await makeDirectory(path.dirname(directory), mode);
    await mkdir(directory, { mode });
    return above ?? directory;
  }
}
