import { chmod, lchown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface VolumeOwnership {
  /** Group that the files shall belong to. */
  readonly fsGroup: number;
  readonly readOnly: boolean;
  /** Told of each chown or chmod that failed; the walk goes on. */
  readonly onError: (path: string, error: unknown) => void;
}

const keepUser = -1;
const setGid = 0o2000;

/**
 * Gives a volume to a group: each entry below `path` and `path` itself, directories after their children. Files get rw
 * (or r) for owner and group, directories x and the set-group-id bit too. Links are chowned, never followed.
 * Rejects when a directory cannot be read. Source: kubernetes v1.36 pkg/volume/volume_linux.go.
 */
export async function setVolumeOwnership(
  path: string,
  ownership: VolumeOwnership,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  const stats = await lstat(path);
  if (stats.isDirectory()) {
    for (const name of await readdir(path)) await setVolumeOwnership(join(path, name), ownership, signal);
  }
  const mask = ownership.readOnly ? 0o440 : 0o660;
  const wanted = stats.mode | mask | (stats.isDirectory() ? setGid | 0o110 : 0);
  try {
    if (stats.gid !== ownership.fsGroup) await lchown(path, keepUser, ownership.fsGroup);
    // After chown: that clears the set-group-id bit of files.
    if (!stats.isSymbolicLink()) await chmod(path, wanted & 0o7777);
  } catch (error) {
    ownership.onError(path, error);
  }
}
