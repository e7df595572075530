import { createToken } from '@podwright/assembly-interface';

/** When each pod wants its next sync. The earliest time per pod counts. */
export interface PodWorkQueue {
  enqueue(podUid: string, delayMs: number): void;
  /** Calls `listener` when a pod is due; one listener only (the sync loop). Returns unsubscribe. */
  watch(listener: (podUid: string) => void): () => void;
}

export const POD_WORK_QUEUE = createToken<PodWorkQueue>('kubelet.pod-work-queue/v1');
