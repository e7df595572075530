import { readlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { isMissing } from '@podwright/errors';
import { isAtOrBelow } from './is-at-or-below.js';
import type { MountTools } from './mount-tools.js';
import type { MountEntry } from './mount-table.js';

// As the kernel: MAXSYMLINKS.
const mostLinks = 40;

/**
 * The path without symbolic links, as the mount table has it. Never touches a mount point of the path, only what is
 * below it: a call on the root of a network file system whose server does not answer would block one of Node's few
 * file system threads. Rejects with Node's error, such as ENOENT. At a mount point for which `stopAt` holds it adds the
 * rest of the path as it is.
 */
export async function resolveLinks(
  path: string,
  table: readonly MountEntry[],
  stopAt: (mountPoint: string) => boolean = () => false,
): Promise<string> {
  const mountPoints = new Set(table.map(({ mountPoint }) => mountPoint));
  const left = path.split(sep).reverse();
  let resolved = '/';
  let links = 0;
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (name === '' || name === '.') continue;
    const next = name === '..' ? dirname(resolved) : join(resolved, name);
    if (stopAt(next)) return join(next, ...left.reverse());
    const target = name === '..' || mountPoints.has(next) ? undefined : await linkTarget(next);
    if (target === undefined) {
      resolved = next;
      continue;
    }
    if (++links > mostLinks) throw Object.assign(new Error(`ELOOP: too many links, '${path}'`), { code: 'ELOOP' });
    if (target.startsWith(sep)) resolved = '/';
    left.push(...target.split(sep).reverse());
  }
  return resolved;
}

/** The text of a link; undefined for anything else. */
async function linkTarget(path: string): Promise<string | undefined> {
  return readlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EINVAL') return undefined;
    throw error;
  });
}

/**
 * The mount that an absolute path without links is in, also where a mount covers others: the walk that the kernel does.
 */
export function mountOf(path: string, table: readonly MountEntry[]): MountEntry | undefined {
  const ids = new Set(table.map(({ id }) => id));
  let current: MountEntry | undefined;
  const onPath = table.filter(({ mountPoint }) => isAtOrBelow(path, mountPoint));
  for (let step = 0; step <= onPath.length; step++) {
    const parent = current;
    const next = onPath
      .filter(
        (entry) => entry !== parent && (parent === undefined ? !ids.has(entry.parentId) : entry.parentId === parent.id),
      )
      // The walk meets the shortest first; of two mounts on one path of one parent, the later covers the earlier.
      .reduce<MountEntry | undefined>(
        (best, entry) => (best === undefined || entry.mountPoint.length <= best.mountPoint.length ? entry : best),
        undefined,
      );
    if (next === undefined) break;
    current = next;
  }
  return current;
}

/**
 * Whether something is mounted on the path, bind mounts included; follows links. Reads the mount table only, and does
 * not touch what is mounted. False for a missing path.
 */
export async function isMountPoint(mounts: Pick<MountTools, 'list'>, path: string): Promise<boolean> {
  return (await mountsAt(mounts, path)).length > 0;
}

/** The mounts on a path, the latest last; as {@link isMountPoint}. */
export async function mountsAt(mounts: Pick<MountTools, 'list'>, path: string): Promise<readonly MountEntry[]> {
  const table = await mounts.list();
  try {
    const resolved = await resolveLinks(path, table);
    return table.filter(({ mountPoint }) => mountPoint === resolved);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
