import { controllersVersion, type CgroupHierarchy } from '@podwright/cgroup-files';
import path from 'node:path';

/**
 * Controllers whose files are read, or whose directories show the age of a cgroup. Source: google/cadvisor v0.56
 * container/libcontainer/helpers.go.
 */
const readControllers = ['memory', 'cpu', 'cpuacct', 'pids', 'blkio', 'devices'] as const;
export type ReadController = (typeof readControllers)[number];

/** Finds the directories of a cgroup. */
export interface CgroupLayout {
  readonly version: 1 | 2;
  /** Undefined when no hierarchy has the controller; v2 has only one directory. */
  directory(controller: ReadController, cgroup: string): string | undefined;
  /** Directories of a cgroup, that of the memory controller first. */
  directories(cgroup: string): readonly string[];
}

/** The layout of the mounted hierarchies; undefined when none is mounted. */
export function cgroupLayout(hierarchies: readonly CgroupHierarchy[]): CgroupLayout | undefined {
  const version = controllersVersion(hierarchies);
  if (version === undefined) return undefined;
  const mounts = new Map<ReadController, string>();
  for (const controller of readControllers) {
    const found =
      version === 2
        ? hierarchies.find((hierarchy) => hierarchy.version === 2)
        : hierarchies.find(({ controllers }) => controllers.includes(controller));
    if (found !== undefined) mounts.set(controller, found.mountPoint);
  }
  const roots = [...new Set(mounts.values())];
  return {
    version,
    directory: (controller, cgroup) => {
      const mount = mounts.get(controller);
      return mount && path.join(mount, cgroup);
    },
    directories: (cgroup) => roots.map((root) => path.join(root, cgroup)),
  };
}
