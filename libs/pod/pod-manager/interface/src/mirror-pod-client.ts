import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/**
 * Creates and deletes mirror pods on the API server. Once started, it creates the missing mirror pods as soon as the
 * node is registered. Absent in an assembly without an API client. Source: kubernetes v1.36
 * pkg/kubelet/pod/mirror_client.go and pkg/kubelet/kubelet.go tryReconcileMirrorPods, fastStaticPodsRegistration.
 */
export interface MirrorPodClient extends Lifecycle {
  /**
   * Resolves when the API server has a mirror pod of this static pod, newly created or existing with the same hash.
   * Rejects with `failed-precondition` unless there is a Node object that has a UID and is not being deleted.
   */
  create(staticPod: Pod, signal?: AbortSignal): Promise<void>;
  /**
   * Deletes a mirror pod with grace period 0; with a `uid`, only the object with that UID. Resolves with true when the
   * API server accepted the deletion, else with false. Rejects with `invalid-argument` on a malformed `fullName`.
   */
  delete(fullName: string, uid: string | undefined, signal?: AbortSignal): Promise<boolean>;
  /**
   * Reconciles the mirror pod of a static pod with the pod manager's current pods: creates a missing one, replaces one
   * that is being deleted or belongs to another manifest. Does nothing for a pod that is not static or no longer
   * desired, or before the node is registered. Runs one call at a time per full name. Never rejects: logs failures.
   */
  reconcile(staticPod: Pod): Promise<void>;
}

export const MIRROR_POD_CLIENT = createToken<MirrorPodClient>('kubelet.mirror-pod-client/v1');
