import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Container, Pod } from '@podwright/kube-types';

/** NUMA nodes from which a request can be served; without `numaNodes` any will do. Ascending, each once, 0 to 63. */
export interface TopologyHint {
  readonly numaNodes?: readonly number[];
  readonly preferred: boolean;
}

/**
 * Per resource; `undefined` for a resource that has no preference, an empty list for one that cannot be served.
 * No resources at all: no preference.
 */
export type TopologyHints = Readonly<Record<string, readonly TopologyHint[] | undefined>>;

/** A manager of resources that have a place on the machine. Source: kubernetes v1.36 pkg/kubelet/cm/topologymanager HintProvider. */
export interface HintProvider {
  readonly name: string;
  hintsOf(pod: Pod, container: Container): TopologyHints;
  /** For the pod as a whole, scope `pod`. */
  hintsOfPod(pod: Pod): TopologyHints;
  /**
   * Gives the container what it asks for, near {@link TopologyManager.affinityOf}; a repeated call gives the same. A rejection
   * is a KubeletError whose `reason` is the reason of the pod's refusal.
   */
  allocate(pod: Pod, container: Container): Promise<void>;
  /**
   * Scope `pod` and a pod with resources of its own (gate PodLevelResourceManagers): gives to all containers at once. A
   * provider without it is asked for each container.
   */
  allocatePod?(pod: Pod): Promise<void>;
}

/**
 * Aligns CPUs, memory and devices of a container. `start()` rejects where the policy cannot work on this machine.
 * Source: kubernetes v1.36 pkg/kubelet/cm/topologymanager.
 */
export interface TopologyManager extends Lifecycle {
  /** Asked in the order of adding: devices, CPUs, memory. Returns remove. */
  addHintProvider(provider: HintProvider): () => void;
  /** What was decided at admission; without a decision `{ preferred: false }` without nodes, as upstream's zero value. */
  affinityOf(podUid: string, container: string): TopologyHint;
  /**
   * Decides and allocates for all containers of the pod, one pod after another. Rejects with a KubeletError (`reason`, message)
   * when refused; what was allocated until then stays until the provider sees that the pod is not active.
   */
  admit(pod: Pod): Promise<void>;
  addContainer(pod: Pod, container: Container, containerId: string): void;
  /** The decision is forgotten unless the container has another id by now. Unknown ids are fine. */
  removeContainer(containerId: string): void;
}

export const TOPOLOGY_MANAGER = createToken<TopologyManager>('kubelet.topology-manager/v1');
