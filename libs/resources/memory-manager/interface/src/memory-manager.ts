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

/** Gives memory of NUMA nodes to Guaranteed pods. Source: kubernetes v1.36 pkg/kubelet/cm/memorymanager. */
export interface MemoryManager extends HintProvider, Lifecycle, HealthReporter {
  /** NUMA nodes for cpuset.mems of the container, ascending; empty when nothing is set. */
  numaNodesOf(podUid: string, container: string): readonly number[];
  memoryOf(podUid: string, container: string): readonly MemoryBlock[];
  /** What can be given out at all. */
  allocatableMemory(): readonly MemoryBlock[];
  addContainer(pod: Pod, container: Container, containerId: string): void;
  /** Takes back what pods hold that are not active any more. */
  releaseInactive(): void;
}

export const MEMORY_MANAGER = createToken<MemoryManager>('kubelet.memory-manager/v1');
