import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';

/** First character of the temporary names; a reader of the directory must skip such files. */
export const temporaryPrefix = '.';

export interface AtomicWriteOptions {
  /** Mode of the file; `durable: false` takes the umask off it. Default 0600, as upstream's store leaves it. */
  readonly mode?: number;
  /** false: no fsync. The content survives the process but not the machine, and a write costs no disk access. Default true. */
  readonly durable?: boolean;
}

let counter = 0;

/**
 * Writes a file so that at any moment, also after a crash or power cut, either the old or the new content is there: temporary
 * file in the same directory, fsync, rename, fsync of the directory (`durable: false` leaves the syncs out, which leaves
 * the power cut out). Makes the directory (0755) when it is missing. Two writes of one file at the same time do no harm,
 * but the later one need not win; {@link CheckpointStore} puts them in order.
 */
export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const { mode = 0o600, durable = true } = options;
  const directory = path.dirname(file);
  const temporary = path.join(directory, `${temporaryPrefix}${path.basename(file)}.${process.pid}-${counter++}`);
  try {
    await writeWhole(temporary, content, mode, durable);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  if (durable) await syncDirectory(directory);
}

async function writeWhole(file: string, content: string | Uint8Array, mode: number, durable: boolean): Promise<void> {
  // A left-over of an earlier process with the same id may be overwritten: nobody reads it.
  const handle = await openIn(path.dirname(file), file, mode);
  try {
    await handle.writeFile(content);
    if (!durable) return;
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

// The directory is there but for the first time, so it is made only when it is missed.
async function openIn(directory: string, file: string, mode: number): Promise<FileHandle> {
  try {
    return await open(file, 'w', mode);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
    await mkdir(directory, { recursive: true, mode: 0o755 });
    return await open(file, 'w', mode);
  }
}

/** Makes renames and removals in a directory survive a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
