import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

/** Mount points of all cgroup hierarchies, v1 and v2. Named v1 ones (systemd's) count too: the runtime uses them. */
export async function cgroupMountPoints(mountInfoFile: string): Promise<readonly string[]> {
  const lines = (await readFile(mountInfoFile, 'utf8')).split('\n');
  return lines.flatMap((line) => {
    const [mount, filesystem] = line.split(' - ');
    const type = filesystem?.split(' ')[0];
    const point = mount?.split(' ')[4];
    return point !== undefined && (type === 'cgroup' || type === 'cgroup2') ? [point] : [];
  });
}

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

export async function subdirectories(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(absentIs([]));
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

// ENODEV is what a file of a cgroup answers that is removed between open and read.
export function absentIs<T>(fallback: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT' || error.code === 'ENODEV') return fallback;
    throw error;
  };
}
