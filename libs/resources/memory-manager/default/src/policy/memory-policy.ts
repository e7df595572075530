import type { Container, Pod } from '@podwright/kube-types';
import type { MemoryBlock } from '@podwright/memory-manager-interface';
import type { TopologyHints } from '@podwright/topology-manager-interface';

/** How memory is given out. Works on a state that the manager keeps. */
export interface MemoryPolicy {
  /** What can be given out at all. */
  readonly allocatable: readonly MemoryBlock[];
  hintsOf(pod: Pod, container: Container): TopologyHints;
  hintsOfPod(pod: Pod): TopologyHints;
  /** Throws a KubeletError; its reason, if it has one, is that of the pod's refusal. */
  allocate(pod: Pod, container: Container): void;
  allocatePod(pod: Pod): void;
  release(podUid: string, container: string): void;
}

/** Source: kubernetes v1.36 pkg/kubelet/cm/memorymanager/policy_none.go. */
export const nonePolicy: MemoryPolicy = {
  allocatable: [],
  hintsOf: () => ({}),
  hintsOfPod: () => ({}),
  allocate: () => undefined,
  allocatePod: () => undefined,
  release: () => undefined,
};
