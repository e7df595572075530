import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/**
 * Creates and deletes mirror pods on the API server. Absent in an assembly without API client. From `start()` on it makes the
 * mirror pods that are missing as soon as the node is registered. Source: kubernetes v1.36 pkg/kubelet/pod/mirror_client.go
 * and pkg/kubelet/kubelet.go tryReconcileMirrorPods, fastStaticPodsRegistration.
 */
export interface MirrorPodClient extends Lifecycle {
  /**
   * Resolves when the API server has a mirror pod of this static pod, also when it had one of the same hash. Needs the Node
   * object, with a UID and not being deleted: rejects with `failed-precondition` otherwise.
   */
  create(staticPod: Pod, signal?: AbortSignal): Promise<void>;
  /** Grace 0. With a `uid` only that object is deleted. Resolves with whether a deletion was sent and accepted. */
  delete(fullName: string, uid: string | undefined, signal?: AbortSignal): Promise<boolean>;
  /**
   * Brings the mirror pod of a static pod in line, by what the pod manager knows at that time: one that is being deleted or
   * belongs to another manifest is replaced, a missing one made; nothing happens for a pod that is not static or no longer
   * wanted, nor before the node is registered. One at a time per full name. Never rejects: failures are logged.
   */
  reconcile(staticPod: Pod): Promise<void>;
}

export const MIRROR_POD_CLIENT = createToken<MirrorPodClient>('kubelet.mirror-pod-client/v1');
