import { podQosClass, quantityToNumber, type Container, type Pod } from '@podwright/kube-types';

/** Node settings for gate MemoryQoS. */
export interface MemoryQosSettings {
  /** True when the gate is on and the node uses cgroup v2. */
  readonly memoryQos: boolean;
  /** Position between request and limit at which the kernel starts to throttle; above 0, at most 1. */
  readonly memoryThrottlingFactor: number;
  readonly memoryReservationPolicy: 'None' | 'TieredReservation';
  /** Stands in for a missing limit; 0 when unknown. */
  readonly nodeAllocatableMemoryBytes: number;
}

// The kernel counts in pages; every supported machine has this size.
const pageBytes = 4096;

/**
 * The cgroup v2 files that protect a container's memory and throttle it before its limit; empty when the gate is off.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container_linux.go generateLinuxContainerResources.
 */
export function memoryQosFiles(
  pod: Pod,
  { resources = {} }: Container,
  settings: Partial<MemoryQosSettings>,
): Readonly<Record<string, string>> {
  const { memoryQos = false, memoryThrottlingFactor = 0.9, memoryReservationPolicy = 'None' } = settings;
  if (!memoryQos) return {};
  const request = quantityToNumber(resources.requests?.['memory']);
  const limit = quantityToNumber(resources.limits?.['memory']);
  const high =
    request === limit
      ? 0
      : throttledBytes(request, limit || (settings.nodeAllocatableMemoryBytes ?? 0), memoryThrottlingFactor);
  return {
    ...(request !== 0 && memoryReservationPolicy === 'TieredReservation'
      ? { [podQosClass(pod) === 'Guaranteed' ? 'memory.min' : 'memory.low']: `${request}` }
      : { 'memory.min': '0', 'memory.low': '0' }),
    ...(high > request && { 'memory.high': `${high}` }),
  };
}

function throttledBytes(request: number, limit: number, factor: number): number {
  if (limit === 0) return 0;
  return Math.trunc(Math.floor(request + (limit - request) * factor) / pageBytes) * pageBytes;
}
