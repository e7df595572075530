import { podQosClass, quantityToNumber, type Container, type Pod } from '@podwright/kube-types';

/** The node's side of gate MemoryQoS. */
export interface MemoryQosSettings {
  /** The gate is on and cgroups are v2. */
  readonly memoryQos: boolean;
  /** Share of the way from request to limit at which the kernel begins to throttle; above 0, at most 1. */
  readonly memoryThrottlingFactor: number;
  readonly memoryReservationPolicy: 'None' | 'TieredReservation';
  /** Takes the place of a limit that is not there; 0 when it is not known. */
  readonly nodeAllocatableMemoryBytes: number;
}

// The kernel counts in pages; all machines that the kubelet runs on have these.
const pageBytes = 4096;

/**
 * Files of cgroup v2 that protect a container's memory and throttle it before its limit; empty when the gate is off. Source:
 * kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container_linux.go generateLinuxContainerResources.
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
