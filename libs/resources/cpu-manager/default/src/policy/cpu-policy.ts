import type { Container, Pod } from '@podwright/kube-types';
import type { CpuSet } from '@podwright/machine';
import type { TopologyHints } from '@podwright/topology-manager-interface';

/** How CPUs are given out. Works on a state that the manager keeps. */
export interface CpuPolicy {
  readonly name: 'none' | 'static';
  /** What can be given out at all. */
  readonly allocatable: CpuSet;
  hintsOf(pod: Pod, container: Container): TopologyHints;
  hintsOfPod(pod: Pod): TopologyHints;
  /** Throws a KubeletError; its reason, if it has one, is that of the pod's refusal. */
  allocate(pod: Pod, container: Container): void;
  allocatePod(pod: Pod): void;
  release(podUid: string, container: string): void;
}

/** Source: kubernetes v1.36 pkg/kubelet/cm/cpumanager/policy_none.go. */
export const nonePolicy: CpuPolicy = {
  name: 'none',
  allocatable: [],
  hintsOf: () => ({}),
  hintsOfPod: () => ({}),
  allocate: () => undefined,
  allocatePod: () => undefined,
  release: () => undefined,
};
