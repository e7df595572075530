import { constants, type Stats } from 'node:fs';
import { open, readlink, type FileHandle } from 'node:fs/promises';
import { KubeletError } from '@podwright/errors';
import { entryPath, handlePath, openPath } from './handle-path.js';

/**
 * How {@link openContained} treats symbolic links.
 * - `refuse`: it rejects at any link, and at any `..`.
 * - `contain`: it follows relative links that stay below the root and rejects at all others (Go os.Root).
 * - `contain-absolute`: as `contain`, and it follows absolute links whose text begins with the root.
 * - `chroot`: it treats the root as `/`, for absolute links and for `..` (securejoin.SecureJoin).
 */
export type LinkPolicy = 'refuse' | 'contain' | 'contain-absolute' | 'chroot';

/** Go's os.Root gives up after 40 links, securejoin after 255. */
const mostLinks: Readonly<Record<LinkPolicy, number>> = {
  refuse: 0,
  contain: 40,
  'contain-absolute': 40,
  chroot: 255,
};

/** Each level holds a file descriptor. The kernel accepts no path with more names than this (PATH_MAX). */
const mostLevels = 2048;

/**
 * Opens `path` below `root` without ever leaving `root`: each step starts from the handle of the step before. The
 * handle is good for `stat`, for bind mounts and for paths below it; {@link openForReading} turns it into one for
 * reading. The caller closes it. The path of `root` itself may contain links. Rejects with Node's error when a call
 * fails, and with `permission-denied` when the policy forbids a step.
 */
export async function openContained(root: string, path: string, links: LinkPolicy): Promise<FileHandle> {
  const way = [await open(root, openPath | constants.O_DIRECTORY)];
  try {
    // In reverse order, so that taking the next name from the end is cheap, however many names the links add.
    const names = namesOf(path);
    for (let followed = 0, name = names.pop(); name !== undefined; name = names.pop()) {
      if (name === '..') {
        await climb(way, links);
        continue;
      }
      const entry = entryPath(last(way), name);
      way.push(await open(entry, openPath | constants.O_NOFOLLOW));
      if (way.length > mostLevels) throw refusal('too many levels of directories');
      if (!(await last(way).stat()).isSymbolicLink()) continue;
      if (links === 'refuse') throw refusal(`unexpected symlink found ${name}`);
      const target = await readlink(entry);
      await way.pop()?.close();
      if (++followed > mostLinks[links]) throw refusal('too many levels of symbolic links');
      if (!target.startsWith('/')) {
        names.push(...namesOf(target));
      } else {
        names.push(...namesOf(belowRoot(root, target, links)));
        await closeAll(way.splice(1));
      }
    }
    return last(way.splice(-1));
  } finally {
    await closeAll(way);
  }
}

/**
 * Opens for reading a file or folder that {@link openContained} has found. Rejects with `failed-precondition` for
 * anything else, because opening a pipe can wait and opening a device can have effects.
 */
export async function openForReading(
  entry: FileHandle,
): Promise<{ readonly handle: FileHandle; readonly stats: Stats }> {
  const stats = await entry.stat();
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new KubeletError('neither a file nor a directory', { code: 'failed-precondition' });
  }
  return { handle: await open(handlePath(entry), constants.O_RDONLY | constants.O_NONBLOCK), stats };
}

async function climb(way: FileHandle[], links: LinkPolicy): Promise<void> {
  const isRoot = way.length === 1;
  if (links === 'refuse' || (isRoot && links !== 'chroot')) throw escapes();
  if (!isRoot) await way.pop()?.close();
}

/** The target of an absolute link, as a path from the root. */
function belowRoot(root: string, target: string, links: LinkPolicy): string {
  if (links === 'chroot') return target;
  const prefix = root.endsWith('/') ? root : `${root}/`;
  if (links !== 'contain-absolute' || !`${target}/`.startsWith(prefix)) throw escapes();
  return target.slice(prefix.length);
}

/** The names of a path, the last one first. */
const namesOf = (path: string): string[] =>
  path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .reverse();

function last(way: readonly FileHandle[]): FileHandle {
  const handle = way.at(-1);
  if (handle === undefined) throw escapes();
  return handle;
}

const closeAll = (handles: readonly FileHandle[]): Promise<unknown> =>
  Promise.all(handles.map((handle) => handle.close()));

const refusal = (message: string): KubeletError => new KubeletError(message, { code: 'permission-denied' });
const escapes = (): KubeletError => refusal('path escapes from parent');
