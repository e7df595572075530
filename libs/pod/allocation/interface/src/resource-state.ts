import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod, ResourceRequirements } from '@podwright/kube-types';

/** Resources of one pod as a checkpoint holds them. Immutable. */
export interface PodResourceState {
  /** By container name: regular containers, sidecars and (see the gate) other init containers. */
  readonly containers: Readonly<Record<string, ResourceRequirements>>;
  /** Pod-level `spec.resources`; absent when the pod has none. */
  readonly pod?: ResourceRequirements;
}

/** What both checkpoints have in common. */
export interface PodResourceRecords extends Lifecycle {
  /** Reads the checkpoint. Rejects with `data-loss`, in words that say what to do, when it cannot be trusted. */
  start(): Promise<void>;
  /** Resolves when everything asked for before has been written or has failed. */
  stop(): Promise<void>;
  /** Undefined for a pod without a record. Cheap. */
  of(podUid: string): PodResourceState | undefined;
  /** Removing an unknown pod is no error and no write. Rejects when the disk refuses; it is gone from memory all the same. */
  remove(podUid: string): Promise<void>;
  /** Removes all but these pods; as {@link remove}. */
  removeOrphans(podUids: ReadonlySet<string>): Promise<void>;
}

/**
 * What admission has granted to each pod; it outlives the kubelet in `allocated_pods_state`. Written by the allocation
 * manager only. Source: kubernetes v1.36 pkg/kubelet/allocation/state.
 */
export interface AllocatedResources extends PodResourceRecords {
  /** The pod with its allocated resources in place of those of the spec; the same object when nothing differs. */
  withAllocation(pod: Pod): Pod;
  /**
   * Stores what the spec asks for. At once visible to {@link of}; resolves when it is on the disk. Calls at the same time
   * share a write. Rejects when the disk refuses: a pod that had an allocation has its old one back, a first one stays in
   * memory, because the pod's resources must be counted, and goes with the next write.
   */
  store(pod: Pod): Promise<void>;
}

export const ALLOCATED_RESOURCES = createToken<AllocatedResources>('kubelet.allocated-resources/v1');

/**
 * What the runtime (containers) and the pod cgroup (pod level) have last accepted; it outlives the kubelet in
 * `actuated_pods_state`. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go.
 */
export interface ActuatedResources extends PodResourceRecords {
  /** As AllocatedResources.store: at once visible, durable when it resolves, kept in memory when it rejects. */
  setContainer(podUid: string, containerName: string, resources: ResourceRequirements): Promise<void>;
  setPod(podUid: string, resources: ResourceRequirements): Promise<void>;
}

export const ACTUATED_RESOURCES = createToken<ActuatedResources>('kubelet.actuated-resources/v1');
