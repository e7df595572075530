import { lchown, readdir, readlink, rename, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { removeOneFileSystem } from '@podwright/filesystem';
import type { Clock, Random } from '@podwright/time';
import { entriesBelow, holdsPayload, makeDataDirectory, writePayload } from './data-directory.js';
import { cleanPayload } from './payload.js';
import type { Payload } from './payload.js';

const dataLink = '..data';
const newDataLink = '..data_tmp';
const dataDirectory = /^\.\.\d{4}(_\d\d){5}\.\d+$/;
const keepGroup = -1;

export interface AtomicWriterDeps {
  readonly clock: Clock;
  readonly random: Random;
  /**
   * Sets owner and modes of the whole volume before new content becomes visible. When it rejects, the write rejects.
   */
  readonly setPermissions: () => Promise<void>;
}

/**
 * Replaces the files of a volume by the payload, atomically: writes them into a new directory, renames the link
 * `..data` to it, and gives users links through `..data`. Does nothing for equal content. Resolves with the name of the directory that has the content. Allows one write at a time
 * per volume; after a crash the next write cleans up. Names that begin with `..` belong to the writer. Source:
 * kubernetes v1.36 pkg/volume/util/atomic_writer.go.
 */
export async function writeAtomically(volume: string, given: Payload, deps: AtomicWriterDeps): Promise<string> {
  const payload = cleanPayload(given);
  const names = await readdir(volume);
  const current = names.includes(dataLink) ? await currentDirectory(volume) : undefined;
  const isUpToDate = current !== undefined && (await holdsExactly(join(volume, current), payload));
  if (!isUpToDate && names.includes(newDataLink)) await unlinkIfThere(join(volume, newDataLink)); // left by a crash
  const name = isUpToDate ? current : await publish(volume, payload, deps);
  await makeVisible(volume, payload, new Set(names));
  await removeObsolete(volume, payload, name, names);
  return name;
}

/** The directory that has the content. Only one that the writer made: never reads or removes the target of a foreign link. */
export async function currentDirectory(volume: string): Promise<string | undefined> {
  const target = await linkTarget(join(volume, dataLink));
  return target !== undefined && dataDirectory.test(target) ? target : undefined;
}

/** The target of a link; undefined when nothing has that name, empty for something that is not a link. */
async function linkTarget(path: string): Promise<string | undefined> {
  return readlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    if (error.code === 'EINVAL') return '';
    throw error;
  });
}

async function holdsExactly(directory: string, payload: Payload): Promise<boolean> {
  const present = await entriesBelow(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return new Map<string, 'file' | 'other'>();
    throw error;
  });
  return !hasObsolete([...present.keys()], payload) && holdsPayload(directory, present, payload);
}

/** Whether a path is neither a file of the payload nor a directory above one. */
function hasObsolete(present: readonly string[], payload: Payload): boolean {
  const needed = new Set<string>();
  for (const path of payload.keys()) {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) needed.add(path.slice(0, end));
  }
  return present.some((path) => !needed.has(path));
}

/** Resolves with the name of the new directory. */
async function publish(
  volume: string,
  payload: Payload,
  { clock, random, setPermissions }: AtomicWriterDeps,
): Promise<string> {
  const name = await makeDataDirectory(volume, clock.now(), random);
  try {
    await writePayload(join(volume, name), payload);
    await setPermissions();
    await symlink(name, join(volume, newDataLink));
    await rename(join(volume, newDataLink), join(volume, dataLink));
    return name;
  } catch (error) {
    await unlinkIfThere(join(volume, newDataLink));
    await removeOneFileSystem(join(volume, name));
    throw error;
  }
}

async function makeVisible(volume: string, payload: Payload, present: ReadonlySet<string>): Promise<void> {
  const made = new Set<string>();
  for (const [path, { ownerUid }] of payload) {
    const [name = ''] = path.split('/', 1);
    const visible = join(volume, name);
    // Leave anything that exists, such as the mount point of another volume.
    if (present.has(name) || made.has(name)) continue;
    made.add(name);
    await symlink(join(dataLink, name), visible);
    if (ownerUid !== undefined) await lchown(visible, ownerUid, keepGroup);
  }
}

/**
 * Removes what shows content that is gone: links, then directories. Looks for them by name, because those of a write
 * that a crash ended are there, too. Leaves what the writer did not make, such as the mount point of another volume.
 */
async function removeObsolete(
  volume: string,
  payload: Payload,
  current: string,
  names: readonly string[],
): Promise<void> {
  const visible = new Set([...payload.keys()].map((path) => path.split('/', 1)[0]));
  const others = names.filter((name) => !visible.has(name) && name !== current && name !== dataLink);
  for (const name of others) {
    if ((await linkTarget(join(volume, name))) === join(dataLink, name)) await unlinkIfThere(join(volume, name));
  }
  for (const name of others.filter((other) => dataDirectory.test(other))) await removeOneFileSystem(join(volume, name));
}

async function unlinkIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
