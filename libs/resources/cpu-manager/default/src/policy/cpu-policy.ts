import type { Container, Pod } from '@podwright/kube-types';
import type { CpuSet } from '@podwright/machine';
import type { TopologyHints } from '@podwright/topology-manager-interface';

/** Decides which CPUs a container gets. Works on a state that the manager keeps. */
export interface CpuPolicy {
  readonly name: 'none' | 'static';
  /** All CPUs that the policy may allocate. */
  readonly allocatable: CpuSet;
  hintsOf(pod: Pod, container: Container): TopologyHints;
  hintsOfPod(pod: Pod): TopologyHints;
  /** Throws a KubeletError; if it has a reason, that is the reason of the pod's rejection. */
  allocate(pod: Pod, container: Container): void;
  allocatePod(pod: Pod): void;
  release(podUid: string, container: string): void;
}

/** Allocates nothing. Source: kubernetes v1.36 pkg/kubelet/cm/cpumanager/policy_none.go. */
export const nonePolicy: CpuPolicy = {
  name: 'none',
  allocatable: [],
  hintsOf: () => ({}),
  hintsOfPod: () => ({}),
  allocate: () => undefined,
  allocatePod: () => undefined,
  release: () => undefined,
};
