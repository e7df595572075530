import { createToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/** Values of a pod's own cgroup; what is absent is not set or not changed. */
export interface PodCgroupResources {
  /** As in cgroup v1, 2 to 262144; translated to cpu.weight on v2. */
  readonly cpuShares?: number;
  /** Microseconds per period; -1 for no limit. */
  readonly cpuQuotaUs?: number;
  readonly cpuPeriodUs?: number;
  /** Bytes; -1 for no limit. */
  readonly memoryLimitBytes?: number;
}

/** Optional ability of a cgroup manager: reads and changes the values of a pod cgroup that exists, for in-place resize. */
export interface PodCgroupResourceControl {
  /** What the pod's spec asks for by upstream's formulas. */
  resourcesOf(pod: Pod): PodCgroupResources;
  /** What is set now. Rejects with `not-found` when the cgroup is missing. */
  read(pod: Pod): Promise<PodCgroupResources>;
  /** Writes only what is given. Rejects with the kernel's reason. */
  write(pod: Pod, resources: PodCgroupResources): Promise<void>;
  /** Bytes that the pod uses now. */
  memoryUsageBytes(pod: Pod): Promise<number>;
}

export const POD_CGROUP_RESOURCES = createToken<PodCgroupResourceControl>('kubelet.pod-cgroup-resources/v1');
