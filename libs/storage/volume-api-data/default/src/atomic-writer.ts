import { lchown, readdir, readlink, rename, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { removeOneFileSystem } from '@podwright/filesystem';
import type { Clock, Random } from '@podwright/time';
import { holdsPayload, makeDataDirectory, pathsBelow, writePayload } from './data-directory.js';
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
 * `..data` to it, and gives users links through `..data`. Does nothing for equal content. Allows one write at a time
 * per volume; after a crash the next write cleans up. Names that begin with `..` belong to the writer. Source:
 * kubernetes v1.36 pkg/volume/util/atomic_writer.go.
 */
export async function writeAtomically(volume: string, given: Payload, deps: AtomicWriterDeps): Promise<void> {
  const payload = cleanPayload(given);
  const old = await currentDirectory(volume);
  const present = old === undefined ? [] : await pathsOf(join(volume, old));
  const obsolete = obsoletePaths(present, payload);
  const isUpToDate =
    old !== undefined && obsolete.length === 0 && (await holdsPayload(join(volume, old), new Set(present), payload));
  if (!isUpToDate) await publish(volume, payload, old, deps);
  await makeVisible(volume, payload);
  await removeVisible(volume, obsolete);
  if (!isUpToDate && old !== undefined) await removeOneFileSystem(join(volume, old));
}

/** Only a directory that the writer made: never reads or removes the target of a foreign link. */
async function currentDirectory(volume: string): Promise<string | undefined> {
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

async function pathsOf(directory: string): Promise<readonly string[]> {
  return pathsBelow(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

/** Existing paths that are neither a file of the payload nor a directory above one. */
function obsoletePaths(present: readonly string[], payload: Payload): readonly string[] {
  const needed = new Set<string>();
  for (const path of payload.keys()) {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) needed.add(path.slice(0, end));
  }
  return present.filter((path) => !needed.has(path));
}

async function publish(
  volume: string,
  payload: Payload,
  old: string | undefined,
  { clock, random, setPermissions }: AtomicWriterDeps,
): Promise<void> {
  await removeLeftovers(volume, old);
  const name = await makeDataDirectory(volume, clock.now(), random);
  try {
    await writePayload(join(volume, name), payload);
    await setPermissions();
    await symlink(name, join(volume, newDataLink));
    await rename(join(volume, newDataLink), join(volume, dataLink));
  } catch (error) {
    await unlinkIfThere(join(volume, newDataLink));
    await removeOneFileSystem(join(volume, name));
    throw error;
  }
}

/** A crash during a write leaves a directory without a link to it, and perhaps a temporary link. */
async function removeLeftovers(volume: string, current: string | undefined): Promise<void> {
  await unlinkIfThere(join(volume, newDataLink));
  for (const name of await readdir(volume)) {
    if (dataDirectory.test(name) && name !== current) await removeOneFileSystem(join(volume, name));
  }
}

async function makeVisible(volume: string, payload: Payload): Promise<void> {
  for (const [path, { ownerUid }] of payload) {
    const [name = ''] = path.split('/', 1);
    const visible = join(volume, name);
    // Leave anything that exists, such as the mount point of another volume.
    if ((await linkTarget(visible)) !== undefined) continue;
    await symlink(join(dataLink, name), visible);
    if (ownerUid !== undefined) await lchown(visible, ownerUid, keepGroup);
  }
}

/** Removes links whose name is gone from the payload; files in subdirectories went with the old data. */
async function removeVisible(volume: string, obsolete: readonly string[]): Promise<void> {
  let failure: unknown;
  for (const path of obsolete.filter((name) => !name.includes('/'))) {
    await unlinkIfThere(join(volume, path)).catch((error: unknown) => {
      failure = error;
    });
  }
  if (failure !== undefined) throw failure;
}

async function unlinkIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
