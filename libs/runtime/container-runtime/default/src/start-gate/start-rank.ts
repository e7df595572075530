import { isCriticalPod, isMirrorPod, isNodeCriticalPod, isStaticPod, type Pod } from '@podwright/kube-types';

export interface StartRank {
  readonly critical: boolean;
  /** Higher ones start first; equal ones in order of arrival. */
  readonly order: number;
}

/** What the pod has done before: nothing, a start that took its time, or its sandbox. */
export type StartPast = 'new' | 'late' | 'begun';

const pastOrder: Readonly<Record<StartPast, number>> = { late: 0, new: 1, begun: 2 };

/**
 * Static pods and those of system-node-critical first, then system-cluster-critical, then all others: the order of
 * upstream's priorities. Within each, pods that have begun are finished before new ones, because that keeps the median
 * low, and pods whose last start hung come last.
 */
export function startRank(pod: Pod, past: StartPast): StartRank {
  const critical = isCriticalPod(pod);
  const first = critical && (isNodeCriticalPod(pod) || isStaticPod(pod) || isMirrorPod(pod));
  return { critical, order: (first ? 2 : critical ? 1 : 0) * 3 + pastOrder[past] };
}
