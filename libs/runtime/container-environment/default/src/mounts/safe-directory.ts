import { constants } from 'node:fs';
import { mkdir, open, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { KubeletError } from '@podwright/errors';

// Linux's O_PATH, which Node does not name: a handle on the entry itself, for walking on and for bind mounts.
const openPath = 0o10000000;
const noFollow = constants.O_NOFOLLOW;

/**
 * Opens `subPath` below `base` and makes the directories that are missing, with the mode of `base`. Containers can write
 * below `base` while this runs, so every step is taken from the handle of the step before and follows no link; links
 * that were there at the start are resolved first and must stay inside. Close the handle that is returned.
 * Source: kubernetes v1.36 pkg/volume/util/subpath/subpath_linux.go.
 */
export async function openInside(base: string, subPath: string): Promise<FileHandle> {
  const root = await realpath(base);
  const { existing, missing } = await resolveExisting(root, subPath);
  let handle = await open(root, openPath | noFollow | constants.O_DIRECTORY);
  try {
    const mode = (await handle.stat()).mode & 0o7777;
    for (const name of existing) handle = await step(handle, name);
    for (const name of missing) handle = await makeStep(handle, name, mode);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

interface Resolved {
  readonly existing: readonly string[];
  readonly missing: readonly string[];
}

async function resolveExisting(root: string, subPath: string): Promise<Resolved> {
  const names = namesOf(subPath);
  let resolved = root;
  for (const [index, name] of names.entries()) {
    try {
      resolved = await realpath(join(resolved, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return { existing: inside(root, resolved), missing: names.slice(index) };
    }
    inside(root, resolved);
  }
  return { existing: inside(root, resolved), missing: [] };
}

/** Names from `root` down to `path`. */
function inside(root: string, path: string): readonly string[] {
  if (path === root) return [];
  const prefix = root.endsWith(sep) ? root : root + sep;
  if (path.startsWith(prefix)) return namesOf(path.slice(prefix.length));
  throw new KubeletError(`path ${path} is outside of allowed base ${root}`, { code: 'permission-denied' });
}

function namesOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

/** Opens one entry of an open directory and closes the directory. */
async function step(parent: FileHandle, name: string): Promise<FileHandle> {
  const child = await open(below(parent, name), openPath | noFollow);
  try {
    // With O_PATH a link is opened, not refused.
    if ((await child.stat()).isSymbolicLink()) {
      throw new KubeletError(`unexpected symlink found ${name}`, { code: 'permission-denied' });
    }
  } catch (error) {
    await child.close();
    throw error;
  }
  await parent.close();
  return child;
}

async function makeStep(parent: FileHandle, name: string, mode: number): Promise<FileHandle> {
  await mkdir(below(parent, name), { mode: mode & 0o777 });
  const child = await open(below(parent, name), constants.O_RDONLY | noFollow | constants.O_DIRECTORY);
  try {
    await child.chmod(mode); // mkdir obeys the umask and drops setgid
  } catch (error) {
    await child.close();
    throw error;
  }
  await parent.close();
  return child;
}

/** The kernel goes from the open directory itself, wherever its path leads by now: Node has no openat. */
function below(parent: FileHandle, name: string): string {
  return `/proc/self/fd/${parent.fd}/${name}`;
}
