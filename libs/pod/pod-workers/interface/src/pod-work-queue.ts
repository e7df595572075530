import { createToken } from '@podwright/assembly-interface';

/** The time of each pod's next sync. When a pod is enqueued several times, the earliest time counts. */
export interface PodWorkQueue {
  enqueue(podUid: string, delayMs: number): void;
  /** Calls `listener` when a pod is due; one listener only (the sync loop). Returns unsubscribe. */
  watch(listener: (podUid: string) => void): () => void;
}

export const POD_WORK_QUEUE = createToken<PodWorkQueue>('kubelet.pod-work-queue/v1');
