import { readFile } from 'node:fs/promises';

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

// Named hierarchies carry no controller, and a v2 one may be mounted beside them without any.
const limiting = new Set(['cpu', 'cpuacct', 'cpuset', 'memory', 'pids', 'hugetlb', 'blkio']);

/** The version of the hierarchies that have the controllers: where v1 ones are mounted, a v2 hierarchy beside them has none. */
export function controllersVersion(hierarchies: readonly CgroupHierarchy[]): 1 | 2 | undefined {
  if (hierarchies.some(({ controllers }) => controllers.some((name) => limiting.has(name)))) return 1;
  return hierarchies.some(({ version }) => version === 2) ? 2 : undefined;
}
