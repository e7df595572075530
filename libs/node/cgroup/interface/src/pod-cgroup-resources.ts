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

/**
 * Optional ability of a cgroup manager: reads and changes the values of a pod cgroup that exists, for in-place resize.
 * Where pods have no cgroups of their own (QoS cgroups off, no hierarchy mounted) nothing is read (`{}`, 0 bytes) and
 * writing does nothing, as upstream.
 */
export interface PodCgroupResourceControl {
  /** What the pod's spec asks for by upstream's formulas. */
  resourcesOf(pod: Pod): PodCgroupResources;
  /** What is set now. Rejects with `not-found` when the cgroup is missing. */
  read(pod: Pod): Promise<PodCgroupResources>;
  /** Writes only what is given. Rejects with the kernel's reason. */
  write(pod: Pod, resources: PodCgroupResources): Promise<void>;
  /**
   * Bytes that the pod uses now, page cache included, as upstream compares them with a lower limit. Rejects with
   * `not-found` when the cgroup is missing.
   */
  memoryUsageBytes(pod: Pod): Promise<number>;
}

export const POD_CGROUP_RESOURCES = createToken<PodCgroupResourceControl>('kubelet.pod-cgroup-resources/v1');

/** Optional ability of a cgroup manager, for pods that are gone while their volumes are not. */
export interface PodCgroupCpuReduction {
  /**
   * Leaves what runs in the pod's cgroup the fewest CPU shares. The cgroup stays, so that memory-backed volumes are not
   * charged to the cgroup above. A missing cgroup is fine. Source: kubernetes v1.36 pkg/kubelet/cm ReduceCPULimits.
   */
  reduceCpu(podUid: string): Promise<void>;
}

export const POD_CGROUP_CPU_REDUCTION = createToken<PodCgroupCpuReduction>('kubelet.pod-cgroup-cpu-reduction/v1');
