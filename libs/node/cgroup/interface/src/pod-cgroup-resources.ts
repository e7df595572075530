import { createToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/** Values of a pod's own cgroup. Reading: an absent field is not set. Writing: it does not change. */
export interface PodCgroupResources {
  /** As in cgroup v1, 2 to 262144; on v2 the manager converts it to cpu.weight. */
  readonly cpuShares?: number;
  /** Microseconds per period; -1 for no limit. */
  readonly cpuQuotaUs?: number;
  readonly cpuPeriodUs?: number;
  /** Bytes; -1 for no limit. */
  readonly memoryLimitBytes?: number;
}

/**
 * Optional ability of a cgroup manager: reads and writes the values of an existing pod cgroup, for in-place resize.
 * Where pods have no cgroups of their own (QoS cgroups off, no hierarchy mounted), reads give `{}` or 0 bytes and
 * writes do nothing, as upstream.
 */
export interface PodCgroupResourceControl {
  /** The values that upstream's formulas give for the pod's spec. */
  resourcesOf(pod: Pod): PodCgroupResources;
  /** The values in effect now. Rejects with `not-found` when the cgroup is missing. */
  read(pod: Pod): Promise<PodCgroupResources>;
  /** Writes the given values only. Rejects with the kernel's error. */
  write(pod: Pod, resources: PodCgroupResources): Promise<void>;
  /**
   * Bytes that the pod uses now, page cache included: upstream compares them with the new limit before it lowers one.
   * Rejects with `not-found` when the cgroup is missing.
   */
  memoryUsageBytes(pod: Pod): Promise<number>;
}

export const POD_CGROUP_RESOURCES = createToken<PodCgroupResourceControl>('kubelet.pod-cgroup-resources/v1');

/** Optional ability of a cgroup manager, for terminated pods whose volumes are still mounted. */
export interface PodCgroupCpuReduction {
  /**
   * Sets the CPU shares of the pod's cgroup to the minimum. The cgroup stays, so that the kernel does not charge
   * memory-backed volumes to the parent cgroup. Does nothing when the cgroup is missing. Source: kubernetes v1.36
   * pkg/kubelet/cm ReduceCPULimits.
   */
  reduceCpu(podUid: string): Promise<void>;
}

export const POD_CGROUP_CPU_REDUCTION = createToken<PodCgroupCpuReduction>('kubelet.pod-cgroup-cpu-reduction/v1');
