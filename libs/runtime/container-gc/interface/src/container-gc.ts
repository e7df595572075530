import { createToken, type Lifecycle } from '@podwright/assembly-interface';

export interface GarbageCollectOptions {
  /** Takes all of pods that have ended as well, though the API still has them; for a node that is short of disk. */
  readonly includeEnded?: boolean;
}

/** Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_gc.go, pod_container_deletor.go. Runs every minute once started. */
export interface ContainerGc extends Lifecycle {
  /** One full pass now. Rejects with all failures joined when something could not be removed. */
  garbageCollect(options?: GarbageCollectOptions): Promise<void>;
  /** Removes dead records of one pod beyond the newest, or all when its content may go. Bounded queue, never blocks. */
  deleteDeadContainers(podUid: string, options?: { readonly exitedContainerId?: string; readonly all?: boolean }): void;
}

export const CONTAINER_GC = createToken<ContainerGc>('kubelet.container-gc/v1');
