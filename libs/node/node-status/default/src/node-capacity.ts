import { formatQuantity, quantityFromUnits, type Quantity, type ResourceAmounts } from '@podwright/kube-types';
import type { MachineFacts } from '@podwright/machine';

export interface CapacityOptions {
  readonly maxPods: number;
  /** 0: only `maxPods` limits the number of pods. */
  readonly podsPerCore: number;
  readonly localStorageCapacityIsolation: boolean;
}

/**
 * The machine's capacity by resource. Source: kubernetes v1.36 pkg/kubelet/nodestatus/setters.go MachineInfo,
 * pkg/kubelet/cadvisor/util.go CapacityFromMachineInfo.
 */
export function nodeCapacity(
  facts: Pick<MachineFacts, 'cores' | 'memoryBytes' | 'hugePages' | 'rootFsBytes'>,
  { maxPods, podsPerCore, localStorageCapacityIsolation }: CapacityOptions,
): ResourceAmounts {
  const capacity: Record<string, Quantity> = {
    cpu: quantityFromUnits(facts.cores),
    memory: quantityFromUnits(facts.memoryBytes, 'BinarySI'),
  };
  for (const { sizeBytes, pages } of facts.hugePages) {
    capacity[`hugepages-${formatQuantity(quantityFromUnits(sizeBytes, 'BinarySI'))}`] = quantityFromUnits(
      sizeBytes * pages,
      'BinarySI',
    );
  }
  if (localStorageCapacityIsolation && facts.rootFsBytes !== undefined) {
    capacity['ephemeral-storage'] = quantityFromUnits(facts.rootFsBytes, 'BinarySI');
  }
  const pods = podsPerCore > 0 ? Math.min(facts.cores * podsPerCore, maxPods) : maxPods;
  return { ...capacity, pods: quantityFromUnits(pods) };
}
