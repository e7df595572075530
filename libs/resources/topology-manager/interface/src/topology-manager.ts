import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Container, Pod } from '@podwright/kube-types';

/**
 * A set of NUMA nodes that can serve a request: ascending, each once, 0 to 63. Without `numaNodes`, any node can.
 */
export interface TopologyHint {
  readonly numaNodes?: readonly number[];
  readonly preferred: boolean;
}

/**
 * Hints by resource name: undefined means no preference, an empty list means that the request cannot be served. An
 * empty record means no preference for any resource.
 */
export type TopologyHints = Readonly<Record<string, readonly TopologyHint[] | undefined>>;

/**
 * A manager of resources that belong to NUMA nodes.
 * Source: kubernetes v1.36 pkg/kubelet/cm/topologymanager HintProvider.
 */
export interface HintProvider {
  readonly name: string;
  hintsOf(pod: Pod, container: Container): TopologyHints;
  /** Hints for the pod as a whole, for scope `pod`. */
  hintsOfPod(pod: Pod): TopologyHints;
  /**
   * Allocates the container's resources, if possible on the NUMA nodes of {@link TopologyManager.affinityOf}. A
   * repeated call allocates the same. Rejects with a KubeletError whose `reason` becomes the reason of the pod's
   * rejection.
   */
  allocate(pod: Pod, container: Container): Promise<void>;
  /**
   * Allocates for all containers at once: called with scope `pod` for a pod with pod-level resources (gate
   * PodLevelResourceManagers). For a provider without it, the topology manager calls {@link allocate} for each
   * container.
   */
  allocatePod?(pod: Pod): Promise<void>;
}

/**
 * Aligns a container's CPUs, memory and devices on NUMA nodes. `start()` rejects when the policy cannot work on this
 * machine.
 * Source: kubernetes v1.36 pkg/kubelet/cm/topologymanager.
 */
export interface TopologyManager extends Lifecycle {
  /**
   * Adds a provider: the topology manager calls providers in the order in which they were added (devices, CPUs,
   * memory). Returns a function that removes it.
   */
  addHintProvider(provider: HintProvider): () => void;
  /** The hint chosen at admission; `{ preferred: false }` when there is none, as upstream's zero value. */
  affinityOf(podUid: string, container: string): TopologyHint;
  /**
   * Chooses hints and allocates for all containers of the pod, one pod after the other. Rejects with a KubeletError
   * (`reason`, message) when the pod is rejected; earlier allocations stay until the provider finds that the pod is not
   * active.
   */
  admit(pod: Pod): Promise<void>;
  addContainer(pod: Pod, container: Container, containerId: string): void;
  /** Forgets the container's hint, unless a newer id belongs to that container. Ignores unknown ids. */
  removeContainer(containerId: string): void;
}

export const TOPOLOGY_MANAGER = createToken<TopologyManager>('kubelet.topology-manager/v1');
