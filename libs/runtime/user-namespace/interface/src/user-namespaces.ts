import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { DeepPartial, UserNamespace } from '@podwright/cri-client-interface';
import type { Pod } from '@podwright/kube-types';

/**
 * Ranges of user and group ids for pods with a user namespace of their own (`hostUsers: false`). No two pods share an id;
 * the file `userns` in the pod's directory keeps the range over restarts. `start()` rejects when the host's ranges or a
 * file are unusable. Source: kubernetes v1.36 pkg/kubelet/userns/userns_manager.go.
 */
export interface UserNamespaces extends Lifecycle {
  /**
   * Mode NODE without mappings for pods that use the host's users; else mode POD with the pod's range, the same for users
   * and groups, made and written on the first call and the same ever after until it is released. Rejects with
   * `failed-precondition` when the runtime handler has no user namespaces, with `resource-exhausted` when no range is
   * free; the message is shown in the pod's event.
   */
  getOrCreate(pod: Pod, runtimeHandler: string): Promise<DeepPartial<UserNamespace>>;
  /** Gives the range back and removes its file; unknown pods are fine. Only once no process of the pod is left. */
  release(podUid: string): Promise<void>;
  /** Gives back the ranges of all pods that are not among these, and of those whose directory is gone. */
  releaseOrphans(podUids: ReadonlySet<string>): Promise<void>;
}

export const USER_NAMESPACES = createToken<UserNamespaces>('kubelet.user-namespaces/v1');
