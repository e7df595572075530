import type { PodCgroupResources } from '@podwright/cgroup-interface';
import type { DeepPartial, LinuxContainerResources } from '@podwright/cri-client-interface';
import { quantityToBytes, quantityToMilli, type Pod } from '@podwright/kube-types';
import { milliCpuToQuota, milliCpuToShares } from '../container/cgroup-values.js';

/**
 * Values of a pod cgroup as UpdatePodSandboxResources takes them: without the overhead, which is told apart.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_sandbox_linux.go.
 */
export function sandboxResourcesOf(pod: Pod, resources: PodCgroupResources): DeepPartial<LinuxContainerResources> {
  const { cpuShares, cpuQuotaUs, cpuPeriodUs, memoryLimitBytes } = resources;
  const { overhead } = pod.spec;
  const overheadMilli = quantityToMilli(overhead?.['cpu']);
  const overheadBytes = quantityToBytes(overhead?.['memory']);
  return {
    ...(cpuShares !== undefined && { cpuShares: sharesWithout(cpuShares, overheadMilli) }),
    ...(cpuPeriodUs !== undefined && { cpuPeriod: BigInt(cpuPeriodUs) }),
    ...(cpuQuotaUs !== undefined && { cpuQuota: quotaWithout(cpuQuotaUs, cpuPeriodUs ?? 0, overheadMilli) }),
    ...(memoryLimitBytes !== undefined && {
      memoryLimitInBytes: BigInt(memoryLimitBytes > 0 ? memoryLimitBytes - overheadBytes : memoryLimitBytes),
    }),
  };
}

function sharesWithout(shares: number, overheadMilli: number): bigint {
  if (overheadMilli === 0) return BigInt(shares);
  const milli = Math.ceil((shares * 1000) / 1024);
  return milliCpuToShares(Math.max(0, milli - overheadMilli));
}

function quotaWithout(quotaUs: number, periodUs: number, overheadMilli: number): bigint {
  return quotaUs > 0 ? BigInt(quotaUs) - milliCpuToQuota(overheadMilli, BigInt(periodUs)) : BigInt(quotaUs);
}
