import { subdirectories } from '@podwright/cgroup-files';
import path from 'node:path';
import type { CgroupLayout } from './cgroup-layout.js';
import { statOf } from './small-file.js';

// `.` and `..`: the kernel counts the directories in a cgroup by its links, so that most need not be listed.
const linksOfLeaf = 2;
// More cgroups than a node with the most pods has by far; a container that makes cgroups without end must not take the node along.
const mostCgroups = 20_000;

/**
 * A cgroup whose path starts with one of the texts, and all below: upstream compares texts, so `/system` takes `/system.slice` too.
 * Parents come before their children.
 */
export async function cgroupsBelow(layout: CgroupLayout, prefixes: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  const [mount] = layout.directories('/');
  if (mount === undefined) return found;
  const visit = async (cgroup: string, wanted: boolean): Promise<void> => {
    if (found.length >= mostCgroups) return;
    if (wanted && cgroup !== '/') found.push(cgroup);
    const directory = path.join(mount, cgroup);
    const stats = await statOf(directory);
    if (stats?.nlink === linksOfLeaf) return;
    for (const name of [...(await subdirectories(directory))].sort()) {
      const child = path.posix.join(cgroup, name);
      const childWanted = wanted || prefixes.some((prefix) => child.startsWith(prefix));
      // Only what lies on the way to a prefix is looked into.
      if (childWanted || prefixes.some((prefix) => prefix.startsWith(`${child}/`))) await visit(child, childWanted);
    }
  };
  await visit('/', prefixes.includes('/'));
  return found;
}

/** The runtime's id of a container in the last component of a path, with any cgroup driver; undefined for other cgroups. */
export function containerIdOf(cgroup: string): string | undefined {
  const last = path.posix.basename(cgroup);
  if (last.endsWith('.mount') || last.startsWith('crio-conmon-')) return undefined;
  return /^(?:[a-z0-9-]+-)?([a-z0-9]{64})(?:\.scope)?$/.exec(last)?.[1];
}
