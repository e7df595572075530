import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';
import type { Container, Pod } from '@podwright/kube-types';
import type { HintProvider } from '@podwright/topology-manager-interface';

/** Memory of one type on one group of NUMA nodes. */
export interface MemoryBlock {
  /** Ascending. */
  readonly numaNodes: readonly number[];
  /** `memory` or `hugepages-<size>`. */
  readonly type: string;
  readonly bytes: number;
}

/** Assigns memory of NUMA nodes to Guaranteed pods. Source: kubernetes v1.36 pkg/kubelet/cm/memorymanager. */
export interface MemoryManager extends HintProvider, Lifecycle, HealthReporter {
  /** NUMA nodes for cpuset.mems of the container, ascending; empty when it has none assigned. */
  numaNodesOf(podUid: string, container: string): readonly number[];
  memoryOf(podUid: string, container: string): readonly MemoryBlock[];
  /** All memory that can be assigned: that which is not reserved. */
  allocatableMemory(): readonly MemoryBlock[];
  addContainer(pod: Pod, container: Container, containerId: string): void;
  /** Releases the memory of pods that are no longer active. */
  releaseInactive(): void;
}

export const MEMORY_MANAGER = createToken<MemoryManager>('kubelet.memory-manager/v1');
