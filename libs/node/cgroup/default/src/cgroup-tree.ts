import type { CgroupDriverName, PodCgroupResources } from '@podwright/cgroup-interface';
import type { CgroupValues, CgroupWrite } from './cgroup-values.js';

/** Called for a value that the kernel refuses; the write continues without it. */
export type OnRefused = (write: CgroupWrite, error: unknown) => void;

/** The cgroups of one version, by their paths below the mount points. */
export interface CgroupTree {
  /**
   * What is missing of the cgroup, in upstream's words (`cgroup ["a"] has some missing paths: ...`); undefined when all
   * hierarchies that the kubelet uses have it. `name` is how the words call it, by default {@link quotedName}.
   */
  fault(cgroup: string, name?: string): Promise<string | undefined>;
  /** A cheaper check than `fault`: whether one hierarchy has it. */
  isPresent(cgroup: string): Promise<boolean>;
  /** True when one hierarchy has no cgroup below it. */
  isEmpty(cgroup: string): Promise<boolean>;
  /**
   * Creates the cgroup where it is missing; rejects with `ENOENT` when its parent is missing. Resolves to true when it
   * created something.
   */
  create(cgroup: string): Promise<boolean>;
  /** Enables the controllers for cgroups below this one. Resolves with the controllers that cannot be enabled. */
  enableChildren(cgroup: string): Promise<readonly string[]>;
  /** Writes the given values. Calls `onRefused` for a value that the kernel refuses; rejects without that callback. */
  write(cgroup: string, values: CgroupValues, onRefused?: OnRefused): Promise<void>;
  /** Rejects with `ENOENT` when the cgroup is missing. */
  read(cgroup: string): Promise<PodCgroupResources>;
  memoryUsageBytes(cgroup: string): Promise<number>;
  /** Removes an empty cgroup; does nothing to one that is in use. */
  discard(cgroup: string): Promise<void>;
}

/**
 * Controllers whose limits the kubelet sets or relies on. Source: kubernetes v1.36
 * pkg/kubelet/cm/cgroup_v1_manager_linux.go, cgroup_v2_manager_linux.go.
 */
export const usedControllers = {
  v1: ['cpu', 'cpuacct', 'cpuset', 'memory', 'systemd', 'pids', 'hugetlb'],
  v2: ['cpu', 'cpuset', 'memory', 'hugetlb', 'pids'],
} as const;

/** A cgroup's name as upstream's messages show it: `["kubepods" "pod1"]`, with either driver. */
export function quotedName(cgroup: string, driver: CgroupDriverName = 'cgroupfs'): string {
  const parts = driver === 'systemd' ? sliceComponents(cgroup) : cgroup.split('/').filter((part) => part !== '');
  return `[${parts.map((part) => JSON.stringify(part)).join(' ')}]`;
}

/**
 * The components of a slice's internal name: `kubepods` and `pod1-2` for `.../kubepods-pod1_2.slice`. Source:
 * kubernetes v1.36 pkg/kubelet/cm/cgroup_manager_linux.go ParseSystemdToCgroupName.
 */
export function sliceComponents(cgroup: string): readonly string[] {
  const name = cgroup.slice(cgroup.lastIndexOf('/') + 1).replace(/\.slice$/, '');
  return name === '' ? [] : name.split('-').map((part) => part.replaceAll('_', '-'));
}
