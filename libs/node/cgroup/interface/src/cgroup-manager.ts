import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/**
 * Creates, updates and removes the cgroups of pods.
 * Source: kubernetes v1.36 pkg/kubelet/cm/pod_container_manager_linux.go, cgroup_manager_linux.go.
 */
export interface CgroupManager extends Lifecycle {
  /** Path in the form that the CRI takes as cgroup_parent; empty when QoS cgroups are off. */
  podCgroupParent(pod: Pod): string;
  /** False when it must be made. May complete one that an earlier kubelet left behind. */
  exists(pod: Pod): Promise<boolean>;
  /** Creates the pod's cgroup when it is missing and sets its values from the pod's spec. */
  ensureExists(pod: Pod): Promise<void>;
  /** Kills the processes left in the pod's cgroup and removes it. Does nothing when it is missing. */
  remove(podUid: string, pod?: Pod): Promise<void>;
  /** UIDs of all pods that have a cgroup below the node's root, for the clean-up of orphaned ones. */
  listPodUids(): Promise<readonly string[]>;
}

export const CGROUP_MANAGER = createToken<CgroupManager>('kubelet.cgroup-manager/v1');
