import { journalPod, type Journal } from '@podwright/journal-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';

/** Whether the condition Ready holds. */
export function isReady({ conditions }: PodStatus): boolean {
  return conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}

/** Whether what people see first of a pod is the same. */
export function looksTheSame(before: PodStatus | undefined, after: PodStatus): boolean {
  return (
    before !== undefined &&
    before.phase === after.phase &&
    before.reason === after.reason &&
    isReady(before) === isReady(after)
  );
}

/** Reports a status that looks different. */
export function reportChange(
  journal: Journal | undefined,
  pod: Pod,
  before: PodStatus | undefined,
  after: PodStatus,
): void {
  if (journal === undefined || looksTheSame(before, after)) return;
  const { phase = 'Unknown', reason, message, containerStatuses = [] } = after;
  journal.report({
    kind: 'status.changed',
    pod: journalPod(pod),
    phase,
    ready: isReady(after),
    notReady: containerStatuses.filter(({ ready }) => !ready).map(({ name }) => name),
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
  });
}
