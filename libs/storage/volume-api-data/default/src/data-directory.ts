import { chmod, lchown, mkdir, open, readdir } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openRegularFile } from '@podwright/contained-path';
import { errnoWords, KubeletError } from '@podwright/errors';
import { formatTimestamp } from './timestamp.js';
import type { Payload } from './payload.js';
import type { Random } from '@podwright/time';

const mostTries = 10_000;
const keepGroup = -1;
/** The bits that new files do not get. Asked once, because asking sets them for a moment, for all threads. */
const umask = process.umask();

/** What is below a directory, by path, and whether it is a regular file; does not follow links. */
export async function entriesBelow(directory: string, prefix = ''): Promise<Map<string, 'file' | 'other'>> {
  const entries = new Map<string, 'file' | 'other'>();
  for (const entry of await readdir(join(directory, prefix), { withFileTypes: true })) {
    const path = join(prefix, entry.name);
    entries.set(path, entry.isFile() ? 'file' : 'other');
    if (entry.isDirectory()) for (const below of await entriesBelow(directory, path)) entries.set(...below);
  }
  return entries;
}

/** Whether every file of the payload exists with the same bytes. As upstream, does not compare modes. */
export async function holdsPayload(
  directory: string,
  present: ReadonlyMap<string, 'file' | 'other'>,
  payload: Payload,
): Promise<boolean> {
  for (const [path, { data }] of payload) {
    if (present.get(path) !== 'file' || !(await holds(join(directory, path), data))) return false;
  }
  return true;
}

async function holds(path: string, data: Uint8Array): Promise<boolean> {
  const file = await openRegularFile(path);
  try {
    // One byte more than wanted, which a longer file fills. A file that is read in parts counts as another.
    const buffer = Buffer.allocUnsafe(data.length + 1);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead).equals(data);
  } finally {
    await file.close();
  }
}

/** Creates `..YYYY_MM_DD_HH_MM_SS.<random>` (UTC) with mode 0755, whatever the umask, and returns its name. */
export async function makeDataDirectory(volume: string, nowMs: number, random: Random): Promise<string> {
  const prefix = `..${formatTimestamp(nowMs)}.`;
  for (let tries = 1; ; tries += 1) {
    const name = prefix + String(Math.floor(random.next() * 2 ** 32));
    try {
      await mkdir(join(volume, name), { mode: 0o755 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST' && tries < mostTries) continue;
      throw error;
    }
    if ((0o755 & umask) !== 0) await chmod(join(volume, name), 0o755);
    return name;
  }
}

/**
 * Writes all files into the new directory, which is empty, so it never opens a foreign file. Rejects in Go's words,
 * which events show, such as when one source has the file `a` and another one `a/b`.
 */
export async function writePayload(directory: string, payload: Payload): Promise<void> {
  for (const [path, { data, mode, ownerUid }] of payload) {
    const target = join(directory, path);
    if (path.includes('/')) await makeParent(dirname(target));
    const file = await create(target, mode & 0o777);
    try {
      await file
        .writeFile(data)
        .catch((error: unknown) => Promise.reject(failed(`write ${target}: ${errnoWords(error)}`, error)));
      if ((mode & umask) !== 0) await file.chmod(mode & 0o777);
    } finally {
      await file.close();
    }
    if (ownerUid !== undefined) await lchown(target, ownerUid, keepGroup);
  }
}

async function makeParent(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o777 });
  } catch (error) {
    // The slash is upstream's.
    throw failed(`mkdir ${path}/: ${errnoWords(error)}`, error);
  }
}

async function create(path: string, mode: number): Promise<FileHandle> {
  try {
    return await open(path, 'wx', mode);
  } catch (error) {
    // Paths of a payload differ, so only a directory can be there. Upstream opens it, and fails with EISDIR.
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw failed(`open ${path}: ${isThere ? 'is a directory' : errnoWords(error)}`, error);
  }
}

function failed(message: string, cause: unknown): KubeletError {
  return new KubeletError(message, { code: 'unknown', cause });
}
