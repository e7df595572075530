import { subdirectories } from '@podwright/cgroup-files';
import path from 'node:path';
import type { CgroupLayout } from './cgroup-layout.js';
import { statOf } from './small-file.js';

// `.` and `..`: the link count of a cgroup directory is 2 plus its subdirectories, so leaves need no listing.
const linksOfLeaf = 2;
// Far more cgroups than the largest node has; a container that creates cgroups without end must not exhaust the node.
const mostCgroups = 20_000;

/**
 * Lists every cgroup whose path starts with one of the prefixes, and all below it. As upstream it compares texts, so
 * `/system` matches `/system.slice` too. Parents come before their children.
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
      // Descend only towards a prefix.
      if (childWanted || prefixes.some((prefix) => prefix.startsWith(`${child}/`))) await visit(child, childWanted);
    }
  };
  await visit('/', prefixes.includes('/'));
  return found;
}
