import { createToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/** One resource that the node lacks. */
export interface InsufficientResource {
  /** `cpu`, `memory`, `pods`, `hugepages-2Mi`, `example.com/gpu`, ... */
  readonly resource: string;
  /** The missing amount, above zero: millicores of `cpu`; bytes or a count for the others. */
  readonly missing: bigint;
}

/**
 * Evicts less important pods to make room for a critical one. Source: kubernetes v1.36
 * pkg/kubelet/preemption/preemption.go.
 */
export interface Preemption {
  /**
   * Kills as many less important pods as needed, one after the other, and resolves when they have terminated. Skips a
   * pod that it cannot kill. Rejects, without killing any, when even all of them would not free enough.
   */
  evictPodsToFreeRequests(preemptor: Pod, insufficient: readonly InsufficientResource[]): Promise<void>;
}

export const PREEMPTION = createToken<Preemption>('kubelet.preemption/v1');
