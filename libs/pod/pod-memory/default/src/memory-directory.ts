import { temporaryPrefix } from '@podwright/checkpoint';
import { mapLimit } from '@podwright/concurrency';
import type { Logger } from '@podwright/logging';
import { chmod, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { decodeMemoryFile, memoryFileName, type MemoryFileContent } from './memory-file-format.js';

const parallelReads = 16;

/**
 * What an earlier process left. Makes the directory, removes half written files, and sets files that cannot be read
 * aside under a hidden name, which goes at the next start. Rejects when the directory cannot be used.
 */
export async function readMemoryDirectory(directory: string, logger: Logger): Promise<readonly MemoryFileContent[]> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await chmod(directory, 0o700);
  const entries = (await readdir(directory, { withFileTypes: true })).filter((entry) => entry.isFile());
  const leftovers = entries.filter(({ name }) => name.startsWith(temporaryPrefix));
  await mapLimit(leftovers, parallelReads, ({ name }) => rm(path.join(directory, name), { force: true }));
  const found = await mapLimit(
    entries.filter((entry) => !leftovers.includes(entry)),
    parallelReads,
    ({ name }) => readOne(directory, name, logger),
  );
  return found.filter((content) => content !== undefined);
}

async function readOne(directory: string, name: string, logger: Logger): Promise<MemoryFileContent | undefined> {
  const file = path.join(directory, name);
  try {
    const content = decodeMemoryFile(await readFile(file, 'utf8'));
    if (memoryFileName(content.podUid) !== name) throw new Error(`it is about pod ${content.podUid}`);
    return content;
  } catch (error) {
    logger.error('The memory of a pod cannot be used and is set aside; the pod is met as a new one', { file, error });
    await rename(file, path.join(directory, `${temporaryPrefix}broken-${name}`)).catch((failure: unknown) =>
      logger.warn('A broken file stays where it is', { file, error: failure }),
    );
    return undefined;
  }
}
