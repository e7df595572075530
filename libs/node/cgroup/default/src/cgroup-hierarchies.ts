import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

/** One mounted cgroup hierarchy. */
export interface CgroupHierarchy {
  readonly mountPoint: string;
  readonly version: 1 | 2;
  /** Of v1 those that share this hierarchy, named ones by their name, such as `systemd`; empty for v2. */
  readonly controllers: readonly string[];
}

// Options of a v1 mount that are no controllers.
const mountOptions = new Set(['rw', 'ro', 'none', 'xattr', 'noprefix', 'clone_children', 'cpuset_v2_mode']);

/** All cgroup hierarchies, v1 and v2. Named v1 ones (systemd's) count too: the runtime uses them. */
export async function cgroupHierarchies(mountInfoFile: string): Promise<readonly CgroupHierarchy[]> {
  const lines = (await readFile(mountInfoFile, 'utf8')).split('\n');
  return lines.flatMap((line): readonly CgroupHierarchy[] => {
    const [mount, filesystem] = line.split(' - ');
    const [type, , options = ''] = filesystem?.split(' ') ?? [];
    const mountPoint = mount?.split(' ')[4];
    if (mountPoint === undefined || (type !== 'cgroup' && type !== 'cgroup2')) return [];
    if (type === 'cgroup2') return [{ mountPoint, version: 2, controllers: [] }];
    const controllers = options
      .split(',')
      .filter((option) => !mountOptions.has(option) && !option.startsWith('release_agent='))
      .map((option) => option.replace(/^name=/, ''));
    return [{ mountPoint, version: 1, controllers }];
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
export function absentIs<T>(fallback: T): (error: unknown) => T {
  return (error) => {
    if (isAbsent(error)) return fallback;
    throw error;
  };
}

export function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENODEV';
}

/** The kernel says no because of who asks or where the hierarchy is mounted, not because of what is asked. */
export function isRefused(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPERM' || code === 'EACCES' || code === 'EROFS';
}
