import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { DeepPartial, UserNamespace } from '@podwright/cri-client-interface';
import type { Pod } from '@podwright/kube-types';

/**
 * Assigns ranges of user and group ids to pods with a user namespace of their own (`hostUsers: false`). No two pods
 * share an id. The file `userns` in the pod's directory keeps the range across restarts. `start()` rejects when the
 * host's ranges or one of these files are unusable. Source: kubernetes v1.36 pkg/kubelet/userns/userns_manager.go.
 */
export interface UserNamespaces extends Lifecycle {
  /**
   * Resolves with mode NODE and no mappings for pods that use the host's users; else with mode POD and the pod's range,
   * the same for users and groups. The first call assigns the range and stores it; later calls give the same until its
   * release. Rejects with `failed-precondition` when the runtime handler does not support user namespaces, and with
   * `resource-exhausted` when no range is free; the pod's event shows the message.
   */
  getOrCreate(pod: Pod, runtimeHandler: string): Promise<DeepPartial<UserNamespace>>;
  /** Releases the pod's range and removes its file. Ignores unknown pods. No process of the pod may be left. */
  release(podUid: string): Promise<void>;
  /** Releases the ranges of all pods that are not in the set, and of those whose directory is gone. */
  releaseOrphans(podUids: ReadonlySet<string>): Promise<void>;
}

export const USER_NAMESPACES = createToken<UserNamespaces>('kubelet.user-namespaces/v1');
