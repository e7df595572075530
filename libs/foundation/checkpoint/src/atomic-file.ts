import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** First character of the temporary names; a reader of the directory must skip such files. */
export const temporaryPrefix = '.';

export interface AtomicWriteOptions {
  /** Mode of the file. Default 0600, as upstream's store leaves it. */
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
  await mkdir(directory, { recursive: true, mode: 0o755 });
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
  const handle = await open(file, 'w', mode);
  try {
    await handle.writeFile(content);
    await handle.chmod(mode);
    if (durable) await handle.sync();
  } finally {
    await handle.close();
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
