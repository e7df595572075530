import type { PodCondition, PodStatus } from '@podwright/kube-types';

/** The status with a condition set; the time of its transition changes only when its status does. */
export function withCondition(status: PodStatus | undefined, condition: PodCondition, now: string): PodStatus {
  const conditions = status?.conditions ?? [];
  const old = conditions.find(({ type }) => type === condition.type);
  const lastTransitionTime = old?.status === condition.status ? (old.lastTransitionTime ?? now) : now;
  const next = { lastProbeTime: null, ...condition, lastTransitionTime } as unknown as PodCondition;
  const others = conditions.filter(({ type }) => type !== condition.type);
  return { ...status, conditions: [...others, next] };
}
