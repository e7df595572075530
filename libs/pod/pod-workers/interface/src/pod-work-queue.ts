import { createToken } from '@podwright/assembly-interface';

/**
 * The times at which pods are looked at again: one after the pod's latest sync, and one that others asked for. A pod is
 * due at each of the two.
 */
export interface PodWorkQueue {
  /**
   * Sets the time after the sync that just ended, in place of the one after an earlier sync: what the newer sync found
   * out counts. Source: kubernetes v1.36 pkg/kubelet/util/queue/work_queue.go, Enqueue.
   */
  requeue(podUid: string, delayMs: number): void;
  /** Asks for a further look, as at a deadline. When a pod is enqueued several times, the earliest time counts. */
  enqueue(podUid: string, delayMs: number): void;
  /** Calls `listener` when a pod is due; one listener only (the sync loop). Returns unsubscribe. */
  watch(listener: (podUid: string) => void): () => void;
}

export const POD_WORK_QUEUE = createToken<PodWorkQueue>('kubelet.pod-work-queue/v1');
