import { createToken, type Lifecycle } from '@podwright/assembly-interface';

export interface GarbageCollectOptions {
  /** Also removes all containers of terminated pods that the API still has; for a node short of disk. */
  readonly includeEnded?: boolean;
}

/**
 * Removes dead containers, sandboxes and their logs; once started, every minute.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_gc.go, pod_container_deletor.go.
 */
export interface ContainerGc extends Lifecycle {
  /** Runs one full pass now. Rejects with all failures joined when it could not remove something. */
  garbageCollect(options?: GarbageCollectOptions): Promise<void>;
  /**
   * Removes a pod's exited containers except the newest; with `exitedContainerId`, only those with the same name as
   * that one. Removes all of them with `all`, or when the pod's content may be removed. Never blocks; a full queue
   * drops requests.
   */
  deleteDeadContainers(podUid: string, options?: { readonly exitedContainerId?: string; readonly all?: boolean }): void;
}

export const CONTAINER_GC = createToken<ContainerGc>('kubelet.container-gc/v1');
