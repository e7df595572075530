import { constants, type Stats } from 'node:fs';
import { open, readlink, type FileHandle } from 'node:fs/promises';
import { KubeletError } from '@podwright/errors';

/** A file or directory below a root that others write to. Whoever gets it closes the handle. */
export interface OpenedEntry {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

export interface OpenInsideOptions {
  /**
   * What a link with an absolute target means. `refuse`: it leaves the root, as Go's os.Root has it. `resolve`: one that
   * points below the root is followed, as the links in /var/log/containers want it.
   */
  readonly absoluteLinks: 'refuse' | 'resolve';
}

// Linux's O_PATH, which Node does not name: a handle on the entry itself, for walking on.
const openPath = 0o10000000;
/** Go's, before it calls the way a loop. */
const mostLinks = 40;

/**
 * Opens `path` below `root` for reading. Each step is taken from the handle of the one before, links are followed as long as
 * they stay inside, `..` does not climb out. Rejects with `not-found`, `permission-denied` (`path escapes from parent`, or no right)
 * or `failed-precondition` (neither a file nor a directory). Source: Go os.Root.
 */
export async function openInside(root: string, path: string, options: OpenInsideOptions): Promise<OpenedEntry> {
  const way = [await open(root, openPath | constants.O_DIRECTORY)];
  try {
    const entry = await walk(way, root, path.split('/'), options);
    return await openForReading(entry);
  } catch (error) {
    throw asRefusal(error, path);
  } finally {
    await Promise.all(way.map((handle) => handle.close()));
  }
}

async function walk(
  way: FileHandle[],
  root: string,
  path: readonly string[],
  { absoluteLinks }: OpenInsideOptions,
): Promise<FileHandle> {
  let names = path.filter(isName);
  for (let links = 0; names.length > 0;) {
    const [name = '', ...rest] = names;
    const here = last(way);
    names = rest;
    if (name === '..') {
      if (way.length === 1) throw escapes();
      await way.pop()?.close();
      continue;
    }
    const entry = `/proc/self/fd/${here.fd}/${name}`;
    const next = await open(entry, openPath | constants.O_NOFOLLOW);
    way.push(next);
    if (!(await next.stat()).isSymbolicLink()) continue;
    const target = await readlink(entry);
    await way.pop()?.close();
    if (++links > mostLinks) throw refusal('permission-denied', 'too many levels of symbolic links');
    if (target.startsWith('/')) {
      const inside = absoluteLinks === 'resolve' ? belowRoot(root, target) : undefined;
      if (inside === undefined) throw escapes();
      await Promise.all(way.splice(1).map((handle) => handle.close()));
      names = [...inside, ...rest];
    } else {
      names = [...target.split('/').filter(isName), ...rest];
    }
  }
  return last(way);
}

async function openForReading(entry: FileHandle): Promise<OpenedEntry> {
  const stats = await entry.stat();
  // Opening a pipe or a device can wait, or do something.
  if (!stats.isFile() && !stats.isDirectory()) throw refusal('failed-precondition', 'neither a file nor a directory');
  const handle = await open(`/proc/self/fd/${entry.fd}`, constants.O_RDONLY | constants.O_NONBLOCK);
  return { handle, stats };
}

function belowRoot(root: string, target: string): readonly string[] | undefined {
  const prefix = root.endsWith('/') ? root : `${root}/`;
  return `${target}/`.startsWith(prefix) ? target.slice(prefix.length).split('/').filter(isName) : undefined;
}

const isName = (name: string): boolean => name !== '' && name !== '.';

function last(way: readonly FileHandle[]): FileHandle {
  const handle = way.at(-1);
  if (handle === undefined) throw escapes();
  return handle;
}

const refusal = (code: 'permission-denied' | 'failed-precondition' | 'not-found', message: string): KubeletError =>
  new KubeletError(message, { code });
const escapes = (): KubeletError => refusal('permission-denied', 'path escapes from parent');

/** In Go's words, which reach the client of a log query. */
function asRefusal(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const said = (message: string): string => `statat ${path}: ${message}`;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return refusal('not-found', said(code === 'ENOENT' ? 'no such file or directory' : 'not a directory'));
  }
  if (code === 'EACCES' || code === 'EPERM') return refusal('permission-denied', said('permission denied'));
  if (error instanceof KubeletError) return new KubeletError(said(error.message), { code: error.code, cause: error });
  return error;
}
