import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '@podwright/errors';
import { makeDirectory } from '@podwright/filesystem';

/** The first character of temporary file names; a reader of the directory must skip such files. */
export const temporaryPrefix = '.';

export interface AtomicWriteOptions {
  /** Mode of the file; with `durable: false` the umask applies. Default 0600, as in upstream's store. */
  readonly mode?: number;
  /**
   * What a power cut leaves once the write has resolved. true: the new content. 'old-or-new': one of them whole, for one
   * fsync less. false: no promise, for no fsync. Default true.
   */
  readonly durable?: boolean | 'old-or-new';
  /**
   * Path of the temporary file, in the same directory. By default each write has its own, whose name begins with
   * {@link temporaryPrefix}. With a path of yours, two writes of one file must not run at the same time.
   */
  readonly temporary?: string;
}

let counter = 0;
/** Temporary files of failed writes that could not be removed either. */
const left = new Set<string>();

/**
 * Writes a file atomically: at any moment, even after a crash or power cut, it has either the old or the new content.
 * It writes a temporary file in the same directory, syncs and renames it, and syncs the directory; with `durable: false`
 * the file survives only a crash of the process. It makes a missing directory (0755). Two concurrent writes are safe,
 * but the later one need not win; {@link CheckpointStore} orders them. Call {@link removeLeftovers} when the process
 * starts.
 */
export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const { mode = 0o600, durable = true, temporary = temporaryPath(file) } = options;
  left.delete(temporary);
  try {
    await writeWhole(temporary, content, mode, durable !== false);
    await rename(temporary, file);
  } catch (error) {
    // The disk that refused the write may refuse this, too; the caller must see the first error.
    await rm(temporary, { force: true }).catch(() => left.add(temporary));
    throw error;
  }
  await removeFailedWrites(path.dirname(file));
  if (durable === true) await syncDirectory(path.dirname(file));
}

/**
 * Removes what failed writes of this process left in a directory because the disk refused to remove it, too. Each
 * successful {@link writeFileAtomically} does so; call it where files of the directory are removed. Never rejects: what
 * is refused again is tried the next time.
 */
export async function removeFailedWrites(directory: string): Promise<void> {
  for (const file of [...left]) {
    if (path.dirname(file) !== directory) continue;
    left.delete(file);
    await rm(file, { force: true }).catch(() => left.add(file));
  }
}

const temporaryPath = (file: string): string =>
  path.join(path.dirname(file), `${temporaryPrefix}${path.basename(file)}.${process.pid}-${counter++}`);

const temporaryName = /^\.(?<name>.+)\.\d+-\d+$/s;

/** Which file a temporary file of {@link writeFileAtomically} is for; undefined for any other name. */
export const nameOfTemporary = (fileName: string): string | undefined => temporaryName.exec(fileName)?.groups?.['name'];

async function writeWhole(file: string, content: string | Uint8Array, mode: number, synced: boolean): Promise<void> {
  // Overwriting a file that an earlier process with the same PID left is safe: nothing reads temporary files.
  const handle = await openIn(path.dirname(file), file, mode);
  try {
    await handle.writeFile(content);
    if (!synced) return;
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

// The directory usually exists, so it is only made after an open has failed.
async function openIn(directory: string, file: string, mode: number): Promise<FileHandle> {
  try {
    return await open(file, 'w', mode);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await makeDirectory(directory, 0o755);
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
