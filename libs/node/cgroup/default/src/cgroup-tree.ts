import type { PodCgroupResources } from '@podwright/cgroup-interface';
import type { CgroupValues, CgroupWrite } from './cgroup-values.js';

/** Told of a value that the kernel does not let us write, and which is left out. */
export type OnRefused = (write: CgroupWrite, error: unknown) => void;

/** Cgroups of one version by their paths below the mount points. */
export interface CgroupTree {
  /**
   * What keeps the cgroup from being complete, in upstream's words (`cgroup ["a"] has some missing paths: ...`);
   * undefined when all hierarchies that the kubelet uses have it.
   */
  fault(cgroup: string): Promise<string | undefined>;
  /** A cheaper look: one hierarchy has it. */
  isPresent(cgroup: string): Promise<boolean>;
  /** Makes it where it is missing; its parent must exist (`ENOENT` otherwise). True when something was made. */
  create(cgroup: string): Promise<boolean>;
  /** Lets cgroups below this one have limits. Resolves with the controllers that cannot be passed on. */
  enableChildren(cgroup: string): Promise<readonly string[]>;
  /** Writes what is given. What the kernel refuses goes to `onRefused`, or rejects without one. */
  write(cgroup: string, values: CgroupValues, onRefused?: OnRefused): Promise<void>;
  /** Rejects with `ENOENT` when it is missing. */
  read(cgroup: string): Promise<PodCgroupResources>;
  memoryUsageBytes(cgroup: string): Promise<number>;
  /** Takes an empty cgroup back; nothing happens to one that is in use. */
  discard(cgroup: string): Promise<void>;
}

/** The controllers whose limits the kubelet sets or counts on. Source: kubernetes v1.36 pkg/kubelet/cm/cgroup_v1_manager_linux.go, cgroup_v2_manager_linux.go. */
export const usedControllers = {
  v1: ['cpu', 'cpuacct', 'cpuset', 'memory', 'systemd', 'pids', 'hugetlb'],
  v2: ['cpu', 'cpuset', 'memory', 'hugetlb', 'pids'],
} as const;

/** A cgroup's name as upstream's messages show it: `["kubepods" "pod1"]`. */
export function quotedName(cgroup: string): string {
  const parts = cgroup.split('/').filter((part) => part !== '');
  return `[${parts.map((part) => JSON.stringify(part)).join(' ')}]`;
}
