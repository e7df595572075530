import {
  hasPodLevelResources,
  isGuaranteedContainer,
  isSidecar,
  quantityValue,
  type Container,
  type Pod,
  type ResourceList,
} from '@podwright/kube-types';
import { isMemoryResource, type MemoryAmounts } from '../memory-amounts.js';

export interface PodLevelGates {
  /** Gates PodLevelResources and PodLevelResourceManagers together. */
  readonly podLevelResourceManagers: boolean;
}

/**
 * Memory and huge pages that a container of a Guaranteed pod requests. Source: kubernetes v1.36
 * pkg/kubelet/cm/memorymanager/policy_static.go.
 */
export function containerMemory(pod: Pod, container: Container, gates: PodLevelGates): MemoryAmounts {
  const leftOut = gates.podLevelResourceManagers && hasPodLevelResources(pod) && !isGuaranteedContainer(container);
  return leftOut ? new Map() : amountsOf(container.resources?.requests);
}

/**
 * The pod as a whole: the most that its containers use at one time, for the resources that its regular containers
 * request.
 */
export function podMemory(pod: Pod, gates: PodLevelGates): MemoryAmounts {
  if (gates.podLevelResourceManagers && hasPodLevelResources(pod))
    return new Map([...amountsOf(pod.spec.resources?.requests)].filter(([, bytes]) => bytes > 0));
  const sidecars = new Map<string, number>();
  const peaks = new Map<string, number>();
  for (const container of pod.spec.initContainers ?? [])
    for (const [name, bytes] of containerMemory(pod, container, gates)) {
      const running = sidecars.get(name) ?? 0;
      if (isSidecar(container)) sidecars.set(name, running + bytes);
      else peaks.set(name, Math.max(peaks.get(name) ?? 0, running + bytes));
    }
  const total = new Map<string, number>();
  for (const container of pod.spec.containers)
    for (const [name, bytes] of containerMemory(pod, container, gates)) total.set(name, (total.get(name) ?? 0) + bytes);
  for (const [name, bytes] of total) total.set(name, Math.max(bytes + (sidecars.get(name) ?? 0), peaks.get(name) ?? 0));
  return total;
}

function amountsOf(list: ResourceList | undefined): MemoryAmounts {
  return new Map(
    Object.entries(list ?? {})
      .filter(([name]) => isMemoryResource(name))
      .map(([name, quantity]) => [name, Number(quantityValue(quantity))]),
  );
}
