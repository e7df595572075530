import { subdirectories } from '@podwright/cgroup-files';
import path from 'node:path';
import type { CgroupLayout } from './cgroup-layout.js';
import { pidsOf } from './cgroup-reading.js';
import { readSmallFile } from './small-file.js';

/**
 * The first process of these cgroups, or of those just below them: with systemd and cgroup v2, crun puts containers
 * into a cgroup `container` below the one that the runtime names. Undefined when none has a process.
 */
export async function firstProcess(layout: CgroupLayout, cgroups: readonly string[]): Promise<number | undefined> {
  for (const cgroup of cgroups) {
    const directory = layout.directory('cpu', cgroup);
    if (directory === undefined) continue;
    const own = await processIn(directory);
    if (own !== undefined) return own;
    for (const below of await subdirectories(directory)) {
      const found = await processIn(path.join(directory, below));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

async function processIn(directory: string): Promise<number | undefined> {
  return pidsOf(await readSmallFile(path.join(directory, 'cgroup.procs')))[0];
}
