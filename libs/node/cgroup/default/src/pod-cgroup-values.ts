import { milliCpuToQuotaUs, milliCpuToShares, type HugePageSize } from '@podwright/cgroup-files';
import type { PodCgroupResources } from '@podwright/cgroup-interface';
import {
  podLimits,
  podQosClass,
  podRequests,
  quantityToBytes,
  quantityToMilli,
  type Pod,
  type ResourceAmounts,
} from '@podwright/kube-types';
import type { CgroupValues } from './cgroup-values.js';
import type { KubeCgroupConfig } from './kube-cgroup-config.js';
import { hugePageLimits } from './huge-pages.js';

export type PodCgroupOptions = Pick<
  KubeCgroupConfig,
  'cpuCfsQuota' | 'cpuCfsQuotaPeriodMs' | 'podLevelResources' | 'podPidsLimit' | 'memoryQos' | 'memoryReservationPolicy'
> & {
  /** Whether the pod has exclusive CPUs, on which a quota would only throttle it. */
  readonly exclusiveCpus?: boolean;
};

/**
 * CPU and memory of a pod's cgroup. Limits apply to the pod only when all of its containers have one.
 * Source: kubernetes v1.36 pkg/kubelet/cm/helpers_linux.go ResourceConfigForPod.
 */
export function podCgroupResources(pod: Pod, options: PodCgroupOptions): PodCgroupResources {
  const qos = podQosClass(pod);
  if (qos === 'BestEffort') return { cpuShares: milliCpuToShares(0) };
  const podLevel = { skipPodLevel: !options.podLevelResources };
  const limits = podLimits(pod, podLevel);
  const limited = (name: string): boolean => qos === 'Guaranteed' || isLimited(pod, name, options);
  const cpuPeriodUs = options.cpuCfsQuotaPeriodMs * 1000;
  return {
    cpuShares: milliCpuToShares(quantityToMilli(podRequests(pod, podLevel)['cpu'])),
    ...(limited('cpu') && {
      cpuQuotaUs:
        options.cpuCfsQuota && options.exclusiveCpus !== true
          ? milliCpuToQuotaUs(quantityToMilli(limits['cpu']), cpuPeriodUs)
          : -1,
      cpuPeriodUs,
    }),
    ...(limited('memory') && { memoryLimitBytes: quantityToBytes(limits['memory']) }),
  };
}

/** All values of a new pod cgroup. */
export function podCgroupValues(pod: Pod, options: PodCgroupOptions, sizes: readonly HugePageSize[]): CgroupValues {
  const requests = podRequests(pod, { skipPodLevel: !options.podLevelResources });
  const unified = options.memoryQos ? memoryReservation(pod, requests, options) : undefined;
  return {
    ...podCgroupResources(pod, options),
    ...(options.podPidsLimit > 0 && { pidsLimit: options.podPidsLimit }),
    hugePageBytes: hugePageLimits(sizes, requests),
    ...(unified !== undefined && { unified }),
  };
}

// Init containers count although they end: while one without a limit runs, the pod has none either.
function isLimited(pod: Pod, name: string, { podLevelResources }: PodCgroupOptions): boolean {
  if (podLevelResources && isPositive(pod.spec.resources?.limits?.[name])) return true;
  return [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].every(({ resources }) =>
    isPositive(resources?.limits?.[name]),
  );
}

function isPositive(quantity: string | undefined): boolean {
  return quantityToMilli(quantity) !== 0;
}

// Gate MemoryQoS. Zeros undo what an earlier policy wrote.
function memoryReservation(
  pod: Pod,
  requests: ResourceAmounts,
  { memoryReservationPolicy }: PodCgroupOptions,
): Readonly<Record<string, string>> {
  const qos = podQosClass(pod);
  const bytes = memoryReservationPolicy === 'None' ? '0' : `${quantityToBytes(requests['memory'])}`;
  return {
    'memory.min': qos === 'Guaranteed' ? bytes : '0',
    'memory.low': qos === 'Burstable' ? bytes : '0',
  };
}
