import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import { nameOfTemporary } from './atomic-file.js';

/**
 * Removes what killed processes left of their writes of these files by `writeFileAtomically`, and nothing else. Call it
 * before the first write. Never rejects: what stays does no harm, and is logged.
 */
export async function removeLeftovers(files: readonly string[], logger: Logger): Promise<void> {
  for (const file of files) {
    await removeTemporaryFiles(path.dirname(file), path.basename(file)).catch((error: unknown) =>
      logger.warn('What a killed process left of a write cannot be removed', { file, error }),
    );
  }
}

/**
 * Removes the temporary files of killed processes in a directory: all, or those of the file `name`. A missing directory
 * is no error.
 */
export async function removeTemporaryFiles(directory: string, name?: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const entry of entries) {
    const writtenName = entry.isFile() ? nameOfTemporary(entry.name) : undefined;
    if (writtenName === undefined || (name !== undefined && writtenName !== name)) continue;
    await rm(path.join(directory, entry.name), { force: true });
  }
}
