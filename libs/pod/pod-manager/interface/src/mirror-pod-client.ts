import { createToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/**
 * Creates and deletes mirror pods on the API server. Absent in an assembly without API client. Source: kubernetes v1.36
 * pkg/kubelet/pod/mirror_client.go.
 */
export interface MirrorPodClient {
  /**
   * Resolves when the API server has a mirror pod of this static pod, also when it had one of the same hash. Needs the Node
   * object, with a UID and not being deleted: rejects with `failed-precondition` otherwise.
   */
  create(staticPod: Pod, signal?: AbortSignal): Promise<void>;
  /** Grace 0. With a `uid` only that object is deleted. Resolves with whether a deletion was sent and accepted. */
  delete(fullName: string, uid: string | undefined, signal?: AbortSignal): Promise<boolean>;
}

export const MIRROR_POD_CLIENT = createToken<MirrorPodClient>('kubelet.mirror-pod-client/v1');
