import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { absentIs } from './cgroup-errors.js';

/** PIDs in a cgroup and everything below it; empty when it is gone. */
export async function pidsBelow(directory: string): Promise<readonly number[]> {
  const own = await readFile(path.join(directory, 'cgroup.procs'), 'utf8').catch(absentIs(''));
  const children = await subdirectories(directory);
  const below = await Promise.all(children.map((child) => pidsBelow(path.join(directory, child))));
  // A process of another PID namespace is listed as 0, and a signal to 0 goes to the own process group.
  return [
    ...own
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0),
    ...below.flat(),
  ];
}

/** Names of the directories below; empty when it is gone. */
export async function subdirectories(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(absentIs([]));
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}
