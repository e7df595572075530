import { realpath, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { handlePath, makeContainedFolder, openContained } from '@podwright/contained-path';
import { isMissing, KubeletError } from '@podwright/errors';

/**
 * Opens `subPath` below `base` and makes missing directories with the mode of `base`. Containers can write below `base`
 * meanwhile, so each step starts from the handle of the previous one and follows no link. Links that exist at the start
 * are resolved first and must stay inside. The caller closes the handle. Source: kubernetes v1.36
 * pkg/volume/util/subpath/subpath_linux.go.
 */
export async function openSubPath(base: string, subPath: string): Promise<FileHandle> {
  const root = await realpath(base);
  const { existing, missing } = await resolveExisting(root, subPath);
  // Opened from its parent, so that a link in place of the resolved base is refused too.
  let handle = await openContained(dirname(root), basename(root), 'refuse');
  const moveTo = async (next: Promise<FileHandle>): Promise<void> => {
    const [before, after] = [handle, await next];
    handle = after;
    await before.close();
  };
  try {
    const mode = (await handle.stat()).mode & 0o7777;
    await moveTo(openContained(handlePath(handle), existing, 'refuse'));
    for (const name of missing) await moveTo(makeContainedFolder(handle, name, mode));
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

interface Resolved {
  /** The existing part of the path, relative to the root and without links. */
  readonly existing: string;
  readonly missing: readonly string[];
}

async function resolveExisting(root: string, subPath: string): Promise<Resolved> {
  const names = subPath.split('/').filter((name) => name !== '' && name !== '.');
  let resolved = root;
  for (const [index, name] of names.entries()) {
    try {
      resolved = await realpath(join(resolved, name));
    } catch (error) {
      if (!isMissing(error)) throw error;
      return { existing: inside(root, resolved), missing: names.slice(index) };
    }
    inside(root, resolved);
  }
  return { existing: inside(root, resolved), missing: [] };
}

/** `path` relative to `root`. Throws `permission-denied` for a path outside. */
function inside(root: string, path: string): string {
  if (path === root) return '';
  const prefix = root.endsWith(sep) ? root : root + sep;
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  throw new KubeletError(`path ${path} is outside of allowed base ${root}`, { code: 'permission-denied' });
}
