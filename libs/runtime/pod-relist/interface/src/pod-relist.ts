import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { RuntimePod } from '@podwright/container-runtime-interface';
import type { PodLifecycleEvent, RelistControl } from '@podwright/pleg-interface';

/**
 * Lists the runtime's pods, reports changes since the last relist, and is the only writer of the pod cache. It never
 * relists by itself: the pleg decides when, by a period, a request for one pod, or an event of the runtime. When
 * answers arrive out of order, the relist that was sent last counts.
 * Source: kubernetes v1.36 pkg/kubelet/pleg/generic.go Relist.
 */
export interface PodRelist extends Lifecycle, RelistControl {
  /**
   * Calls `listener` in observation order, after the cache has been written. It must only enqueue, never throw. Returns
   * unsubscribe.
   */
  watch(listener: (event: PodLifecycleEvent) => void): () => void;
  /**
   * Calls `listener` when a pod could not be relisted or inspected and needs another relist. It must only enqueue.
   * Returns unsubscribe.
   */
  watchFailures(listener: (podUid: string) => void): () => void;
  /**
   * Relists all pods; concurrent calls share one relist. Resolves when the list has been compared; rejects when the
   * runtime cannot list, or on `stop()`. It does not wait for inspections; the next relist retries a failed one.
   */
  relist(): Promise<void>;
  /**
   * Marks the pod's cached status as true now without a relist, so that readers that wait for a newer one get it.
   * Returns false and does nothing when no relist has shown the pod, or when a relist or inspection of it is due,
   * running or has failed. Only for a pleg that learns of changes through events.
   */
  vouch(podUid: string): boolean;
  /** The pod in the latest relist; undefined when that did not show it. */
  pod(podUid: string): RuntimePod | undefined;
  /** All pods, each from its latest relist. */
  pods(): readonly RuntimePod[];
  /** UIDs of the pods whose inspection is due, running or has failed. */
  readonly unsettled: ReadonlySet<string>;
}

export const POD_RELIST = createToken<PodRelist>('kubelet.pod-relist/v1');
