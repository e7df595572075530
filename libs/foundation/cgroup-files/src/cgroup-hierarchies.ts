import { readMountTable } from '@podwright/filesystem';

/** One mounted cgroup hierarchy. */
export interface CgroupHierarchy {
  readonly mountPoint: string;
  readonly version: 1 | 2;
  /** The v1 controllers of this hierarchy, or the name of a named hierarchy, such as `systemd`. Empty for v2. */
  readonly controllers: readonly string[];
}

// Options of a v1 mount that are not controllers.
const mountOptions = new Set(['rw', 'ro', 'none', 'xattr', 'noprefix', 'clone_children', 'cpuset_v2_mode']);

/** All mounted cgroup hierarchies, v1 and v2, including named v1 ones (systemd's), which the runtime uses. */
export async function cgroupHierarchies(mountInfoFile?: string): Promise<readonly CgroupHierarchy[]> {
  const table = await readMountTable(mountInfoFile);
  return table.flatMap(({ mountPoint, fsType, superOptions }): readonly CgroupHierarchy[] => {
    if (fsType === 'cgroup2') return [{ mountPoint, version: 2, controllers: [] }];
    if (fsType !== 'cgroup') return [];
    const controllers = superOptions
      .filter((option) => !mountOptions.has(option) && !option.startsWith('release_agent='))
      .map((option) => option.replace(/^name=/, ''));
    return [{ mountPoint, version: 1, controllers }];
  });
}

// The v1 controllers that limit resources. Named hierarchies have none.
const limiting = new Set(['cpu', 'cpuacct', 'cpuset', 'memory', 'pids', 'hugetlb', 'blkio']);

/**
 * The cgroup version that limits resources: 1 when v1 controllers are mounted, because a v2 hierarchy beside them has
 * none.
 */
export function controllersVersion(hierarchies: readonly CgroupHierarchy[]): 1 | 2 | undefined {
  if (hierarchies.some(({ controllers }) => controllers.some((name) => limiting.has(name)))) return 1;
  return hierarchies.some(({ version }) => version === 2) ? 2 : undefined;
}
