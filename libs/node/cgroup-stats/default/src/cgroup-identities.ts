import type { CgroupLayout } from './read/cgroup-layout.js';
import path from 'node:path';
import { LruMap } from '@podwright/cache';
import { readSmallFile, statOf } from './read/small-file.js';

/** Properties that never change while a cgroup exists. */
export interface CgroupIdentity {
  /** Inode of its first directory: another inode means a new cgroup at the same path. */
  readonly inode: number;
  readonly createdMs: number;
  /** v1: whether the `total_...` fields include the cgroups below. */
  readonly hierarchical: boolean;
}

const mostCgroups = 20_000;
const msPerMinute = 60_000;

/**
 * When cgroups were created: the earliest change time of their directories and of files in them that are never written.
 * Read once per cgroup. Source: google/cadvisor v0.56 container/common/helpers.go getSpecInternal.
 */
export class CgroupIdentities {
  private readonly identities = new LruMap<CgroupIdentity>(mostCgroups);

  /** `bootTimeMs`: lower bound for creation times; to the minute, as upstream. */
  constructor(
    private readonly layout: CgroupLayout,
    private readonly bootTimeMs: number,
  ) {}

  /** Undefined when the cgroup does not exist. */
  async of(cgroup: string, nowMs: number): Promise<CgroupIdentity | undefined> {
    const directories = this.layout.directories(cgroup);
    const first = await firstThere(directories);
    if (first === undefined) {
      this.identities.delete(cgroup);
      return undefined;
    }
    const known = this.identities.get(cgroup);
    if (known?.inode === first.ino) return known;
    const marker = this.layout.version === 2 ? 'cgroup.events' : 'cgroup.clone_children';
    const stats = await Promise.all(
      directories.flatMap((directory) => [directory, path.join(directory, marker)]).map(statOf),
    );
    const times = stats.flatMap((stat) => (stat === undefined ? [] : [stat.mtimeMs]));
    const boot = Math.trunc(this.bootTimeMs / msPerMinute) * msPerMinute;
    const identity = {
      inode: first.ino,
      createdMs: Math.trunc(Math.max(boot, Math.min(nowMs, ...times))),
      hierarchical: await this.isHierarchical(cgroup),
    };
    this.identities.set(cgroup, identity);
    return identity;
  }

  private async isHierarchical(cgroup: string): Promise<boolean> {
    const directory = this.layout.directory('memory', cgroup);
    if (this.layout.version === 2 || directory === undefined) return true;
    return (await readSmallFile(path.join(directory, 'memory.use_hierarchy')))?.trim() === '1';
  }
}

/** The first directory that exists: a cgroup may be missing in some hierarchies. */
async function firstThere(directories: readonly string[]): Promise<{ readonly ino: number } | undefined> {
  for (const directory of directories) {
    const stats = await statOf(directory);
    if (stats !== undefined) return stats;
  }
  return undefined;
}
