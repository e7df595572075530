import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { cgroupHierarchies } from '@podwright/cgroup-files';
import type { TestNode } from './test-node.js';

/** Everything that running pods of a node have on the machine, by kind, as sorted texts. */
export type MachineTraces = Readonly<Record<string, readonly string[]>>;

export async function machineTraces(node: TestNode): Promise<MachineTraces> {
  const { lab, runtime } = node.bed;
  const { processes, mounts, links } = await lab.leftovers();
  const traces: Record<string, readonly string[]> = {
    sandboxes: (await runtime.sandboxes()).map(({ id, pod }) => `${pod} ${id}`),
    containers: (await runtime.containers()).map(({ id, pod, name }) => `${pod} ${name} ${id}`),
    processes,
    // Network namespaces are mounts too.
    mounts,
    links,
    addresses: (await entries(path.join(lab.layout.cniDataDir, lab.layout.network))).filter((name) => /^\d/.test(name)),
    cgroups: await podCgroups(lab.cgroupRoot),
    podDirectories: await entries(path.join(node.dir, 'root/pods')),
    logDirectories: await entries(path.join(node.dir, 'pod-logs')),
    logLinks: await entries(path.join(node.dir, 'container-logs')),
  };
  return Object.fromEntries(Object.entries(traces).map(([kind, items]) => [kind, [...items].sort()]));
}

/** What `now` has and `before` did not, one line per kind. */
export function added(before: MachineTraces, now: MachineTraces): readonly string[] {
  return Object.entries(now).flatMap(([kind, items]) => {
    const more = items.filter((item) => before[kind]?.includes(item) !== true);
    return more.length === 0 ? [] : [`${kind}: ${more.join(', ')}`];
  });
}

/** Open file descriptors of a process. */
export async function openFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

// Several hierarchies, or a single one, are mounted at or below /sys/fs/cgroup.
async function podCgroups(root: string): Promise<readonly string[]> {
  const hierarchies = await cgroupHierarchies();
  const found = await Promise.all(hierarchies.map(({ mountPoint }) => directoriesBelow(path.join(mountPoint, root))));
  return found.flat().filter((directory) => /\/pod[^/]+$/.test(directory));
}

async function directoriesBelow(directory: string): Promise<readonly string[]> {
  const found = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const children = found.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(directory, name));
  const deeper = await Promise.all(children.map(directoriesBelow));
  return [...children, ...deeper.flat()];
}

const entries = (directory: string): Promise<readonly string[]> => readdir(directory).catch(() => []);
