import type { CgroupLayout } from './read/cgroup-layout.js';
import path from 'node:path';
import { readSmallFile, statOf } from './read/small-file.js';

/** What stays the same while a cgroup lives. */
export interface CgroupIdentity {
  /** Of its first directory: another one is another cgroup of the same path. */
  readonly inode: number;
  readonly createdMs: number;
  /** v1: `total_...` counts what is below. */
  readonly hierarchical: boolean;
}

const mostCgroups = 20_000;
const msPerMinute = 60_000;

/**
 * When cgroups were made: the earliest time that their directories, or files in them that nobody writes, were changed. Looked up
 * once per cgroup. Source: google/cadvisor v0.56 container/common/helpers.go getSpecInternal.
 */
export class CgroupIdentities {
  private readonly identities = new Map<string, CgroupIdentity>();

  /** `bootTimeMs`: no cgroup is older; to the minute, as upstream has it. */
  constructor(
    private readonly layout: CgroupLayout,
    private readonly bootTimeMs: number,
  ) {}

  /** Undefined when it is not there. */
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
    if (this.identities.size > mostCgroups) this.identities.delete(this.identities.keys().next().value as string);
    return identity;
  }

  private async isHierarchical(cgroup: string): Promise<boolean> {
    const directory = this.layout.directory('memory', cgroup);
    if (this.layout.version === 2 || directory === undefined) return true;
    return (await readSmallFile(path.join(directory, 'memory.use_hierarchy')))?.trim() === '1';
  }
}

/** A cgroup may be in some hierarchies only. */
async function firstThere(directories: readonly string[]): Promise<{ readonly ino: number } | undefined> {
  for (const directory of directories) {
    const stats = await statOf(directory);
    if (stats !== undefined) return stats;
  }
  return undefined;
}
