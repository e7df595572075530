import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod, ResourceRequirements } from '@podwright/kube-types';

/** Resources of one pod in a checkpoint. Immutable. */
export interface PodResourceState {
  /** By container name: regular containers, sidecars and, depending on the feature gate, other init containers. */
  readonly containers: Readonly<Record<string, ResourceRequirements>>;
  /** Pod-level `spec.resources`; absent when the pod has none. */
  readonly pod?: ResourceRequirements;
}

/**
 * The common part of {@link AllocatedResources} and {@link ActuatedResources}: resources by pod, in a checkpoint file.
 */
export interface PodResourceRecords extends Lifecycle {
  /** Reads the checkpoint. Rejects with `data-loss` when it is corrupt; the message says what to do. */
  start(): Promise<void>;
  /** Resolves when every earlier write has succeeded or failed. */
  stop(): Promise<void>;
  /** The pod's record, from memory; undefined when it has none. */
  of(podUid: string): PodResourceState | undefined;
  /** Does nothing for an unknown pod. Rejects when the write fails; the record is gone from memory all the same. */
  remove(podUid: string): Promise<void>;
  /** Removes all pods but these, like {@link remove}. */
  removeOrphans(podUids: ReadonlySet<string>): Promise<void>;
}

/**
 * The resources that admission has allocated to each pod, kept in the checkpoint `allocated_pods_state`. Only the
 * allocation manager writes it. Source: kubernetes v1.36 pkg/kubelet/allocation/state.
 */
export interface AllocatedResources extends PodResourceRecords {
  /** The pod with its allocated resources in place of the spec's; the same object when they do not differ. */
  withAllocation(pod: Pod): Pod;
  /**
   * Stores the resources of the pod's spec as its allocation. {@link of} shows it at once; the promise resolves when it
   * is on disk. Concurrent calls share a write. Rejects when the write fails: a pod with an earlier allocation gets
   * that one back. A first allocation stays in memory, because the pod's resources must count, and the next write
   * includes it.
   */
  store(pod: Pod): Promise<void>;
}

export const ALLOCATED_RESOURCES = createToken<AllocatedResources>('kubelet.allocated-resources/v1');

/**
 * The resources that the runtime (for containers) and the pod cgroup (for the pod level) accepted last, kept in the
 * checkpoint `actuated_pods_state`. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go.
 */
export interface ActuatedResources extends PodResourceRecords {
  /** {@link of} shows the resources at once. Resolves when they are on disk; when it rejects, they stay in memory. */
  setContainer(podUid: string, containerName: string, resources: ResourceRequirements): Promise<void>;
  setPod(podUid: string, resources: ResourceRequirements): Promise<void>;
}

export const ACTUATED_RESOURCES = createToken<ActuatedResources>('kubelet.actuated-resources/v1');
