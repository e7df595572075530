import { constants } from 'node:fs';
import { chmod, lchown, lstat, mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { formatTimestamp } from './timestamp.js';
import type { Payload } from './payload.js';
import type { Random } from '@podwright/time';

const mostTries = 10_000;
const keepGroup = -1;

/** Paths below a directory, links neither followed nor descended into: directories and files as they stand. */
export async function pathsBelow(directory: string, prefix = ''): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(join(directory, prefix), { withFileTypes: true })) {
    const path = join(prefix, entry.name);
    paths.push(path);
    if (entry.isDirectory()) paths.push(...(await pathsBelow(directory, path)));
  }
  return paths;
}

/** True when each file of the payload is there with the same bytes. Modes are not compared, as upstream does not. */
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

/** A link or a directory in the place of the file is not it. */
async function holds(path: string, data: Uint8Array): Promise<boolean> {
  if (!(await lstat(path)).isFile()) return false;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return (await file.readFile()).equals(data);
  } finally {
    await file.close();
  }
}

/** Makes `..YYYY_MM_DD_HH_MM_SS.<random>` (UTC), mode 0755 whatever the umask is, and returns its name. */
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

/** Writes all files into the new directory. Nothing of it is there yet, so no file is opened that somebody else made. */
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
