import { lstat, rename, rm, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { syncDirectory } from '@podwright/checkpoint';
import { KubeletError } from '@podwright/errors';

/** The two names of the symbolic link that says which file is in use; both in one directory. */
export interface CurrentLink {
  readonly current: string;
  /** There for the moment of a switch only. */
  readonly updated: string;
}

/**
 * Makes `target` the one in use. At any moment one of the two names is a link to a whole file. Rejects with
 * `failed-precondition` when somebody put something else than a link in their place.
 */
export async function switchLink({ current, updated }: CurrentLink, target: string): Promise<void> {
  await linkKind(current);
  if (await linkKind(updated)) await rm(updated);
  await stat(target);
  await symlink(path.resolve(target), updated);
  // Upstream removes the old link first; a rename replaces it without a gap.
  await rename(updated, current);
  await syncDirectory(path.dirname(current));
}

/** Ends a switch that was cut off before its last step. */
export async function finishSwitch({ current, updated }: CurrentLink): Promise<void> {
  if (await exists(current)) return;
  if (!(await linkKind(updated))) return;
  await rename(updated, current);
}

/** Whether something is there, links followed. */
export async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return false;
    throw error;
  }
}

async function linkKind(file: string): Promise<boolean> {
  let found;
  try {
    found = await lstat(file);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return false;
    throw error;
  }
  if (found.isSymbolicLink()) return true;
  throw new KubeletError(`expected ${JSON.stringify(file)} to be a symlink but it is a file`, {
    code: 'failed-precondition',
  });
}
