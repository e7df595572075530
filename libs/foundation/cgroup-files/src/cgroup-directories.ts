import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { absentIs } from './cgroup-errors.js';

/** The PIDs in a cgroup and all cgroups below it; empty when the cgroup does not exist. */
export async function pidsBelow(directory: string): Promise<readonly number[]> {
  const own = await readFile(path.join(directory, 'cgroup.procs'), 'utf8').catch(absentIs(''));
  const children = await subdirectories(directory);
  const below = await Promise.all(children.map((child) => pidsBelow(path.join(directory, child))));
  // The kernel lists a process of another PID namespace as 0, and a signal to 0 would hit our own process group.
  return [
    ...own
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0),
    ...below.flat(),
  ];
}

/** The names of the directories in `directory`; empty when it does not exist. */
export async function subdirectories(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(absentIs([]));
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}
