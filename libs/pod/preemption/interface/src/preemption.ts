import { createToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/** One resource of which the node has too little. */
export interface InsufficientResource {
  /** `cpu`, `memory`, `pods`, `hugepages-2Mi`, `example.com/gpu`, ... */
  readonly resource: string;
  /** How much is missing, above zero: thousandths of cpu, bytes or counts of everything else. */
  readonly missing: bigint;
}

/** Makes room for critical pods. Source: kubernetes v1.36 pkg/kubelet/preemption/preemption.go. */
export interface Preemption {
  /**
   * Ends enough less important pods, one after the other, and resolves when they are gone; one that cannot be ended is
   * left. Rejects when even all of them would not be enough; nothing is ended then.
   */
  evictPodsToFreeRequests(preemptor: Pod, insufficient: readonly InsufficientResource[]): Promise<void>;
}

export const PREEMPTION = createToken<Preemption>('kubelet.preemption/v1');
