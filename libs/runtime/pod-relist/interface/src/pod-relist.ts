import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { RuntimePod } from '@podwright/container-runtime-interface';
import type { PodLifecycleEvent, RelistControl } from '@podwright/pleg-interface';

/**
 * Looks at the runtime, tells what has changed since the last look and writes the pod cache: the only writer of it, whoever
 * decides when to look (a period, a request for one pod, an event of the runtime). Whatever order answers arrive in, the look
 * that was sent last counts. It never looks by itself: the pleg in charge does the scheduling.
 * Source: kubernetes v1.36 pkg/kubelet/pleg/generic.go Relist.
 */
export interface PodRelist extends Lifecycle, RelistControl {
  /** Calls `listener` in observation order, after the cache was written; it must only enqueue, never throw. Returns unsubscribe. */
  watch(listener: (event: PodLifecycleEvent) => void): () => void;
  /** Told when a pod could not be looked at or inspected: it has to be looked at again. Must only enqueue. Returns unsubscribe. */
  watchFailures(listener: (podUid: string) => void): () => void;
  /**
   * Looks at all pods; concurrent calls share one look. Resolves when the list was compared, rejects when the runtime cannot
   * list or on `stop()`. Inspections go on beside it; a pod whose inspection fails is inspected again in the next look.
   */
  relist(): Promise<void>;
  /**
   * Takes what is known of the pod for true as of now, without a look: who waits for a newer status is answered with it. False,
   * and nothing happens, when no look has shown the pod or one is due, under way or not settled. Whoever calls it must be told
   * of changes.
   */
  vouch(podUid: string): boolean;
  /** The pod as the newest look showed it; undefined when that did not show it. */
  pod(podUid: string): RuntimePod | undefined;
  /** All pods, each as the newest look showed it. */
  pods(): readonly RuntimePod[];
  /** Pods whose inspection is due, under way or has failed. */
  readonly unsettled: ReadonlySet<string>;
}

export const POD_RELIST = createToken<PodRelist>('kubelet.pod-relist/v1');
