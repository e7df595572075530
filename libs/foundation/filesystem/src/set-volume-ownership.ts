import { constants, type Stats } from 'node:fs';
import { chmod, chown, open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { handlePath } from '@podwright/contained-path';
import { KubeletError } from '@podwright/errors';
import type { AnswerCheck } from './answers.js';
import { guardedWalk, throwIfStopped, type GuardedWalkOptions } from './guarded-walk.js';
import { watchOwnership, type OwnershipWatch } from './ownership-watch.js';

export interface VolumeOwnership {
  /** The group that shall own the files. */
  readonly fsGroup: number;
  readonly readOnly: boolean;
  /** `OnRootMismatch` skips a volume whose root already has the group and its permissions. Default `Always`. */
  readonly policy?: 'Always' | 'OnRootMismatch' | undefined;
  /** Called for each chown or chmod that fails; the walk continues. */
  readonly onError: (path: string, error: unknown) => void;
  /** Given for a volume that may be on a network file system: see `guardedWalk`. */
  readonly guard?: Pick<GuardedWalkOptions, 'clock'> | undefined;
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
 * a directory cannot be read, and when the signal aborts other than by a deadline: a walk takes as long as it needs.
 * Source: kubernetes v1.36 pkg/volume/volume_linux.go.
 */
export async function setVolumeOwnership(
  path: string,
  ownership: VolumeOwnership,
  signal?: AbortSignal,
  check: AnswerCheck = {},
): Promise<void> {
  signal?.throwIfAborted();
  const walk: Walk & { watched?: ReturnType<typeof watchOwnership> } = { ownership, files: 0 };
  const begin = async (step: () => void): Promise<void> => {
    if (ownership.policy === 'OnRootMismatch' && (await isOwned(path, ownership))) return;
    if (ownership.watch !== undefined) walk.watched = watchOwnership(path, ownership.watch, () => walk.files);
    await own(path, { shownAs: path, level: 0, step }, walk);
  };
  try {
    if (ownership.guard === undefined) await begin(() => throwIfStopped(signal));
    else await guardedWalk(path, begin, { ...ownership.guard, signal, ...check });
    walk.watched?.end('success');
  } catch (error) {
    walk.watched?.end('fail-unknown');
    throw error;
  }
}

interface Walk {
  readonly ownership: VolumeOwnership;
  files: number;
}
interface Place {
  readonly shownAs: string;
  readonly level: number;
  readonly step: () => void;
}

async function own(entry: string | Buffer, at: Place, walk: Walk): Promise<void> {
  const { shownAs, level, step } = at;
  step();
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
        const below = { shownAs: join(shownAs, name.toString()), level: level + 1, step };
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
