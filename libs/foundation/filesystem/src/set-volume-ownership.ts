import { constants, type Stats } from 'node:fs';
import { chmod, chown, open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { handlePath } from '@podwright/contained-path';
import { KubeletError } from '@podwright/errors';
import { watchOwnership, type OwnershipWatch } from './ownership-watch.js';

export interface VolumeOwnership {
  /** The group that shall own the files. */
  readonly fsGroup: number;
  readonly readOnly: boolean;
  /** `OnRootMismatch` skips a volume whose root already has the group and its permissions. Default `Always`. */
  readonly policy?: 'Always' | 'OnRootMismatch' | undefined;
  /** Called for each chown or chmod that fails; the walk continues. */
  readonly onError: (path: string, error: unknown) => void;
  /** Reports on the walk. It is not called for a skipped volume. */
  readonly watch?: OwnershipWatch | undefined;
}

const keepUser = -1;
const setGid = 0o2000;
const groupAccess = 0o110;
// Linux's O_PATH: the file is not opened, so that no device and no pipe notices.
const pathOnly = 0o10000000 | constants.O_NOFOLLOW;
// Each level holds a descriptor. The kernel accepts no path with more names than this (PATH_MAX).
const mostLevels = 2048;

/**
 * Makes a group the owner of a volume: of `path` and everything below it, directories after their children. Files get
 * rw (or r) for owner and group, directories also x and the set-group-id bit. Links are chowned, never followed.
 * Containers may write to the volume meanwhile, so every step starts from the descriptor of the directory. Rejects when
 * a directory cannot be read. Source: kubernetes v1.36 pkg/volume/volume_linux.go.
 */
export async function setVolumeOwnership(
  path: string,
  ownership: VolumeOwnership,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  if (ownership.policy === 'OnRootMismatch' && (await isOwned(path, ownership))) return;
  const walk: Walk = { ownership, signal, files: 0 };
  const watched = ownership.watch && watchOwnership(path, ownership.watch, () => walk.files);
  try {
    await own(path, { shownAs: path, level: 0 }, walk);
    watched?.end('success');
  } catch (error) {
    watched?.end('fail-unknown');
    throw error;
  }
}

interface Walk {
  readonly ownership: VolumeOwnership;
  readonly signal: AbortSignal | undefined;
  files: number;
}

async function own(
  entry: string | Buffer,
  at: { readonly shownAs: string; readonly level: number },
  walk: Walk,
): Promise<void> {
  walk.signal?.throwIfAborted();
  const { shownAs, level } = at;
  if (level > mostLevels) {
    throw new KubeletError(`${shownAs} has too many levels of directories`, { code: 'failed-precondition' });
  }
  const handle = await open(entry, pathOnly);
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) {
      const folder = handlePath(handle);
      // Names are bytes: those of containers need not be text.
      for (const name of await readdir(folder, { encoding: 'buffer' })) {
        const below = { shownAs: join(shownAs, name.toString()), level: level + 1 };
        await own(Buffer.concat([Buffer.from(`${folder}/`), name]), below, walk);
      }
    }
    walk.files++;
    await change(handle, stats, walk.ownership).catch((error: unknown) => walk.ownership.onError(shownAs, error));
  } finally {
    await handle.close();
  }
}

async function change(handle: FileHandle, stats: Stats, { fsGroup, readOnly }: VolumeOwnership): Promise<void> {
  const isOther = stats.gid !== fsGroup;
  const failed = isOther ? await failureOf(chown(handlePath(handle), keepUser, fsGroup)) : undefined;
  const mode = stats.mode & 0o7777;
  const wanted = mode | maskOf(readOnly) | (stats.isDirectory() ? setGid | groupAccess : 0);
  // After chown, because that clears the set-id bits of files.
  if (!stats.isSymbolicLink() && (isOther || mode !== wanted)) await chmod(handlePath(handle), wanted);
  if (failed !== undefined) throw failed.error;
}

async function failureOf(work: Promise<void>): Promise<{ readonly error: unknown } | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
}

/** Whether the root says that an earlier walk has ended: it is the last to change. */
async function isOwned(path: string, { fsGroup, readOnly }: VolumeOwnership): Promise<boolean> {
  const root = await stat(path).catch(() => undefined);
  if (root?.isDirectory() !== true || root.gid !== fsGroup) return false;
  const wanted = maskOf(readOnly) | groupAccess | setGid;
  return (root.mode & wanted) === wanted;
}

function maskOf(readOnly: boolean): number {
  return readOnly ? 0o440 : 0o660;
}
