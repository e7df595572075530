import type { PodCondition, PodStatus } from '@podwright/kube-types';

/** Sets a condition in a pod's status; lastTransitionTime changes only with the condition's status. */
export function withCondition(status: PodStatus | undefined, condition: PodCondition, now: string): PodStatus {
  const conditions = status?.conditions ?? [];
  const old = conditions.find(({ type }) => type === condition.type);
  const lastTransitionTime = old?.status === condition.status ? (old.lastTransitionTime ?? now) : now;
  const next = { lastProbeTime: null, ...condition, lastTransitionTime } as unknown as PodCondition;
  const others = conditions.filter(({ type }) => type !== condition.type);
  return { ...status, conditions: [...others, next] };
}
