import { readFile, readdir, rmdir } from 'node:fs/promises';
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
  return [...own.split('\n').filter(Boolean).map(Number), ...below.flat()];
}

/** Removes a cgroup and everything below it. Rejects with EBUSY while processes are inside; gone is fine. */
export async function removeTree(directory: string): Promise<void> {
  for (const child of await subdirectories(directory)) await removeTree(path.join(directory, child));
  await rmdir(directory).catch(absentIs(undefined));
}

export async function subdirectories(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(absentIs([]));
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

// ENODEV is what a file of a cgroup answers that is removed between open and read.
function absentIs<T>(fallback: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT' || error.code === 'ENODEV') return fallback;
    throw error;
  };
}
