import { milliCpuToQuotaUs, milliCpuToShares, sharesToMilliCpu } from '@podwright/cgroup-files';
import type { PodCgroupResources } from '@podwright/cgroup-interface';
import type { DeepPartial, LinuxContainerResources } from '@podwright/cri-client-interface';
import { quantityToBytes, quantityToMilli, type Pod } from '@podwright/kube-types';

/**
 * Values of a pod cgroup for UpdatePodSandboxResources, without overhead, which is a field of its own there. Source:
 * kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_sandbox_linux.go.
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
  return BigInt(milliCpuToShares(Math.max(0, sharesToMilliCpu(shares) - overheadMilli)));
}

function quotaWithout(quotaUs: number, periodUs: number, overheadMilli: number): bigint {
  return BigInt(quotaUs > 0 ? quotaUs - milliCpuToQuotaUs(overheadMilli, periodUs) : quotaUs);
}
