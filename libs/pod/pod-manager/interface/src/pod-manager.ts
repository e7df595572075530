import { createToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/**
 * The pods that the sources want, and nothing about how far they are. Written by the sync loop only. A mirror pod is
 * the API object that stands for a static pod; both share their full name. Source: kubernetes v1.36 pkg/kubelet/pod/pod_manager.go.
 */
export interface PodManager {
  /** Replaces the whole set. */
  setPods(pods: readonly Pod[]): void;
  /** Adds or replaces, by UID (mirror pods too). */
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
  /** The UID under which a pod is known: that of the static pod when given its mirror's, else the argument. */
  translatePodUid(podUid: string): string;
}

export const POD_MANAGER = createToken<PodManager>('kubelet.pod-manager/v1');
