import { lstat, rename, rm, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { syncDirectory } from '@podwright/checkpoint';
import { isMissing, KubeletError } from '@podwright/errors';
import { exists } from '@podwright/filesystem';

/** The two names of the symbolic link to the file in use, in one directory. */
export interface CurrentLink {
  readonly current: string;
  /** Exists only during a switch. */
  readonly updated: string;
}

/**
 * Makes `target` the file in use. At any moment one of the two names links to a complete file. Rejects with
 * `failed-precondition` when something other than a link has one of the names.
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

/** Completes a switch that was interrupted before its last step. */
export async function finishSwitch({ current, updated }: CurrentLink): Promise<void> {
  if (await exists(current)) return;
  if (!(await linkKind(updated))) return;
  await rename(updated, current);
}

async function linkKind(file: string): Promise<boolean> {
  let found;
  try {
    found = await lstat(file);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  if (found.isSymbolicLink()) return true;
  throw new KubeletError(`expected ${JSON.stringify(file)} to be a symlink but it is a file`, {
    code: 'failed-precondition',
  });
}
