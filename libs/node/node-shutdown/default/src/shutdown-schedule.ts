import { systemCriticalPriority, type Pod } from '@podwright/kube-types';
import type { GracefulNodeShutdownConfig, PriorityGracePeriod } from './graceful-node-shutdown-config.js';

type Periods = Pick<
  GracefulNodeShutdownConfig,
  'enabled' | 'shutdownGracePeriodMs' | 'shutdownGracePeriodCriticalPodsMs' | 'shutdownGracePeriodByPodPriority'
>;

/** Pods that are terminated together, and their longest grace period. */
export interface ShutdownGroup {
  readonly priority: number;
  readonly gracePeriodSeconds: number;
  readonly pods: readonly Pod[];
}

/**
 * Grace periods by ascending priority; empty when graceful shutdown is off. The two plain periods become two ranges:
 * critical pods get the reserved part, all others the rest. Source: kubernetes v1.36
 * pkg/kubelet/nodeshutdown/nodeshutdown_manager.go.
 */
export function shutdownSchedule(periods: Periods): readonly PriorityGracePeriod[] {
  if (!periods.enabled) return [];
  if (periods.shutdownGracePeriodByPodPriority.length > 0)
    return [...periods.shutdownGracePeriodByPodPriority].sort((left, right) => left.priority - right.priority);
  const { shutdownGracePeriodMs: total, shutdownGracePeriodCriticalPodsMs: critical } = periods;
  if (total === 0) return [];
  return [
    { priority: 0, shutdownGracePeriodSeconds: Math.trunc((total - critical) / 1000) },
    { priority: systemCriticalPriority, shutdownGracePeriodSeconds: Math.trunc(critical / 1000) },
  ];
}

/** The longest duration of a shutdown, in milliseconds. */
export function longestShutdownMs(schedule: readonly PriorityGracePeriod[]): number {
  return schedule.reduce((sum, { shutdownGracePeriodSeconds }) => sum + shutdownGracePeriodSeconds * 1000, 0);
}

/** Groups pods by the range of their priority; pods below all ranges count in the lowest. Omits empty groups. */
export function shutdownGroups(
  schedule: readonly PriorityGracePeriod[],
  pods: readonly Pod[],
): readonly ShutdownGroup[] {
  const members = schedule.map((): Pod[] => []);
  for (const pod of pods) {
    const priority = pod.spec.priority ?? 0;
    const index = schedule.findLastIndex((entry) => entry.priority <= priority);
    members[Math.max(0, index)]?.push(pod);
  }
  return schedule.flatMap(({ priority, shutdownGracePeriodSeconds }, index) => {
    const group = members[index] ?? [];
    return group.length === 0 ? [] : [{ priority, gracePeriodSeconds: shutdownGracePeriodSeconds, pods: group }];
  });
}
