import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/** Source: kubernetes v1.36 pkg/kubelet/cm/pod_container_manager_linux.go, cgroup_manager_linux.go. */
export interface CgroupManager extends Lifecycle {
  /** Path in the form that the CRI takes as cgroup_parent; the cgroup root when QoS cgroups are off. */
  podCgroupParent(pod: Pod): string;
  exists(pod: Pod): Promise<boolean>;
  /** Creates the pod's cgroup where it is missing and brings its values to the spec. */
  ensureExists(pod: Pod): Promise<void>;
  /** Kills what is left inside and removes it; a missing cgroup is fine. */
  remove(podUid: string, pod?: Pod): Promise<void>;
  /** UIDs of all pod cgroups found below the node's root, for the clean-up of orphans. */
  listPodUids(): Promise<readonly string[]>;
}

export const CGROUP_MANAGER = createToken<CgroupManager>('kubelet.cgroup-manager/v1');
