import { chmod, lchown, lstat, mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openRegularFile } from '@podwright/contained-path';
import { formatTimestamp } from './timestamp.js';
import type { Payload } from './payload.js';
import type { Random } from '@podwright/time';

const mostTries = 10_000;
const keepGroup = -1;

/** Paths of all directories and files below a directory; does not follow links. */
export async function pathsBelow(directory: string, prefix = ''): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(join(directory, prefix), { withFileTypes: true })) {
    const path = join(prefix, entry.name);
    paths.push(path);
    if (entry.isDirectory()) paths.push(...(await pathsBelow(directory, path)));
  }
  return paths;
}

/** Whether every file of the payload exists with the same bytes. As upstream, does not compare modes. */
export async function holdsPayload(
  directory: string,
  present: ReadonlySet<string>,
  payload: Payload,
): Promise<boolean> {
  for (const [path, { data }] of payload) {
    if (!present.has(path) || !(await holds(join(directory, path), data))) return false;
  }
  return true;
}

/** False for a link or a directory in place of the file. */
async function holds(path: string, data: Uint8Array): Promise<boolean> {
  if (!(await lstat(path)).isFile()) return false;
  const file = await openRegularFile(path);
  try {
    return (await file.readFile()).equals(data);
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
      await mkdir(join(volume, name), { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST' && tries < mostTries) continue;
      throw error;
    }
    await chmod(join(volume, name), 0o755);
    return name;
  }
}

/** Writes all files into the new directory, which is empty, so it never opens a foreign file. */
export async function writePayload(directory: string, payload: Payload): Promise<void> {
  for (const [path, { data, mode, ownerUid }] of payload) {
    const target = join(directory, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o777 });
    const file = await open(target, 'wx', mode & 0o777);
    try {
      await file.writeFile(data);
      await file.chmod(mode & 0o777); // the umask has cut it
    } finally {
      await file.close();
    }
    if (ownerUid !== undefined) await lchown(target, ownerUid, keepGroup);
  }
}
