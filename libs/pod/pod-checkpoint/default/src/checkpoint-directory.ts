import { temporaryPrefix } from '@podwright/checkpoint';
import { mapLimit } from '@podwright/concurrency';
import type { Logger } from '@podwright/logging';
import type { Dirent } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { decodeCheckpointFile, checkpointFileName, type CheckpointFileContent } from './checkpoint-file-format.js';

const parallelReads = 16;
const privateMode = 0o700;

/**
 * Reads the files of an earlier kubelet. Creates the directory and removes half-written files. Renames unreadable
 * files, and anything else in place of a file, to a hidden name, which the next start removes. Accepts a read-only
 * directory; rejects when the directory cannot be created.
 */
export async function readCheckpointDirectory(
  directory: string,
  logger: Logger,
): Promise<readonly CheckpointFileContent[]> {
  await mkdir(directory, { recursive: true, mode: privateMode });
  const { mode } = await stat(directory);
  // Only when needed, because a disk that has become read-only refuses it.
  if ((mode & 0o777) !== privateMode) await chmod(directory, privateMode);
  const entries = await readdir(directory, { withFileTypes: true });
  const leftovers = entries.filter(({ name }) => name.startsWith(temporaryPrefix));
  await mapLimit(leftovers, parallelReads, ({ name }) => removeLeftover(path.join(directory, name), logger));
  const found = await mapLimit(
    entries.filter((entry) => !leftovers.includes(entry)),
    parallelReads,
    (entry) => readOne(directory, entry, logger),
  );
  return found.filter((content) => content !== undefined);
}

async function removeLeftover(file: string, logger: Logger): Promise<void> {
  await rm(file, { force: true, recursive: true }).catch((error: unknown) =>
    logger.warn('What an earlier process left cannot be removed', { file, error }),
  );
}

async function readOne(directory: string, entry: Dirent, logger: Logger): Promise<CheckpointFileContent | undefined> {
  const { name } = entry;
  const file = path.join(directory, name);
  try {
    // A directory would refuse every later write, and a link would redirect the read.
    if (!entry.isFile()) throw new Error('it is no regular file');
    const content = decodeCheckpointFile(await readFile(file, 'utf8'));
    if (checkpointFileName(content.podUid) !== name) throw new Error(`it is about pod ${content.podUid}`);
    return content;
  } catch (error) {
    logger.error('The checkpoint of a pod cannot be used and is set aside; the pod is met as a new one', {
      file,
      error,
    });
    await rename(file, path.join(directory, `${temporaryPrefix}broken-${name}`)).catch((failure: unknown) =>
      logger.warn('A broken file stays where it is', { file, error: failure }),
    );
    return undefined;
  }
}
