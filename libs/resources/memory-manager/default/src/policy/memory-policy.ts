import type { Container, Pod } from '@podwright/kube-types';
import type { MemoryBlock } from '@podwright/memory-manager-interface';
import type { TopologyHints } from '@podwright/topology-manager-interface';

/** Decides which NUMA nodes provide a container's memory. Works on a state that the manager keeps. */
export interface MemoryPolicy {
  /** All memory that the policy may allocate. */
  readonly allocatable: readonly MemoryBlock[];
  hintsOf(pod: Pod, container: Container): TopologyHints;
  hintsOfPod(pod: Pod): TopologyHints;
  /** Throws a KubeletError; if it has a reason, that is the reason of the pod's rejection. */
  allocate(pod: Pod, container: Container): void;
  allocatePod(pod: Pod): void;
  release(podUid: string, container: string): void;
}

/** Allocates nothing. Source: kubernetes v1.36 pkg/kubelet/cm/memorymanager/policy_none.go. */
export const nonePolicy: MemoryPolicy = {
  allocatable: [],
  hintsOf: () => ({}),
  hintsOfPod: () => ({}),
  allocate: () => undefined,
  allocatePod: () => undefined,
  release: () => undefined,
};
