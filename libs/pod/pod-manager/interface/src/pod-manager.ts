import { createToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/**
 * The desired pods of all sources; it knows nothing about their progress. Only the sync loop writes it. A mirror pod is
 * the API object that represents a static pod; both have the same full name.
 * Source: kubernetes v1.36 pkg/kubelet/pod/pod_manager.go.
 */
export interface PodManager {
  /** Replaces the whole set. */
  setPods(pods: readonly Pod[]): void;
  /** Adds a pod or mirror pod, or replaces the one with the same UID. */
  addPod(pod: Pod): void;
  updatePod(pod: Pod): void;
  removePod(pod: Pod): void;
  /** Regular and static pods, without mirror pods. */
  getPods(): readonly Pod[];
  getMirrorPods(): readonly Pod[];
  getPodByUid(podUid: string): Pod | undefined;
  /** `<name>_<namespace>`; never a mirror pod. */
  getPodByFullName(fullName: string): Pod | undefined;
  getMirrorPodOf(pod: Pod): Pod | undefined;
  getPodOfMirror(mirrorPod: Pod): Pod | undefined;
  /** Translates the UID of a mirror pod to that of its static pod; returns any other UID unchanged. */
  translatePodUid(podUid: string): string;
}

export const POD_MANAGER = createToken<PodManager>('kubelet.pod-manager/v1');
