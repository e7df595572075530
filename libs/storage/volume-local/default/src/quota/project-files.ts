import { lstat, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeFileAtomically } from '@podwright/checkpoint';
import { isMissing, KubeletError } from '@podwright/errors';
import type { ProjectLines } from './project-lines.js';

export interface ProjectPaths {
  readonly projects: string;
  readonly names: string;
}

export const systemProjectPaths: ProjectPaths = { projects: '/etc/projects', names: '/etc/projid' };

/** Reads both files; a missing one is empty. Rejects for anything that is no plain file, such as a link. */
export async function readProjects(paths: ProjectPaths): Promise<ProjectLines> {
  return { projects: await readLines(paths.projects), names: await readLines(paths.names) };
}

/**
 * Replaces both files, the names first: an ID with a name and no directory is not given away. Readers see the old or the
 * new file, never a part of it.
 */
export async function writeProjects(paths: ProjectPaths, lines: ProjectLines): Promise<void> {
  await replace(paths.names, lines.names);
  await replace(paths.projects, lines.projects);
}

async function readLines(path: string): Promise<readonly string[]> {
  if ((await modeOf(path)) === undefined) return [];
  return (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
}

async function replace(path: string, lines: readonly string[]): Promise<void> {
  const mode = (await modeOf(path)) ?? 0o644;
  const content = lines.map((line) => `${line}\n`).join('');
  // A fixed name, so that the next write replaces what a killed process left.
  await writeFileAtomically(path, content, { mode, temporary: join(dirname(path), `.${basename(path)}.new`) });
}

async function modeOf(path: string): Promise<number | undefined> {
  const found = await lstat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (found === undefined || found.isFile()) return found && found.mode & 0o777;
  throw new KubeletError(`${path} exists but is not a plain file, cannot continue`, { code: 'failed-precondition' });
}
