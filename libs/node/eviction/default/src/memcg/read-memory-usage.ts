import { cgroupHierarchies } from '@podwright/cgroup-files';
import type { CgroupStats } from '@podwright/cgroup-stats-interface';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReadMemoryUsage } from './memory-usage-watch.js';

/** Reads from the v1 memory hierarchy; undefined without one, as upstream has no such notification on v2 either. */
export function createReadMemoryUsage(
  cgroups: Pick<CgroupStats, 'roots'>,
  mountInfoFile = '/proc/self/mountinfo',
): ReadMemoryUsage {
  let mountPoint: string | undefined;
  return async (memory) => {
    if (mountPoint === undefined) {
      const hierarchies = await cgroupHierarchies(mountInfoFile);
      mountPoint = hierarchies.find(({ controllers }) => controllers.includes('memory'))?.mountPoint ?? '';
    }
    if (mountPoint === '') return undefined;
    const directory = memory === 'node' ? mountPoint : path.join(mountPoint, cgroups.roots().pods);
    return Number(await readFile(path.join(directory, 'memory.usage_in_bytes'), 'utf8'));
  };
}
