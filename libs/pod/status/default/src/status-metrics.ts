import { configSeenAnnotation, type ContainerStatus, type Pod, type PodStatus } from '@podwright/kube-types';
import type { Histogram, MetricsRegistry } from '@podwright/metrics';

/**
 * Registers upstream's histogram of the time from a status change to its acceptance. Source: kubernetes v1.36
 * pkg/kubelet/metrics/metrics.go PodStatusSyncDuration.
 */
export function statusSyncDuration(registry: MetricsRegistry): Histogram {
  return registry.histogram({
    name: 'kubelet_pod_status_sync_duration_seconds',
    help: 'Duration in seconds to sync a pod status update. Measures time from detection of a change to pod status until the API is successfully updated for that pod, even if multiple intevening changes to pod status occur.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 20, 30, 45, 60],
  });
}

/**
 * Bounds in seconds for starts of pods. Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go
 * podStartupDurationBuckets.
 */
export const startBuckets: readonly number[] = [
  ...[0.5, 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 45, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200, 1800, 2700, 3600],
];

/**
 * Observes the time from the kubelet's first sight of a pod until its first status, and until it runs. As upstream, the
 * first status counts as a start too. Source: kubernetes v1.36 pkg/kubelet/kubelet.go SyncPod.
 */
export function startObserver(
  registry: MetricsRegistry,
): (pod: Pod, previous: PodStatus | undefined, next: PodStatus, nowMs: number) => void {
  const duration = registry.histogram({
    name: 'kubelet_pod_start_duration_seconds',
    help: 'Duration in seconds from kubelet seeing a pod for the first time to the pod starting to run',
    buckets: startBuckets,
  });
  return (pod, previous, next, nowMs) => {
    // A rejected pod gets a status as well.
    const first = previous === undefined && next.phase !== 'Failed';
    if (!first && !(previous?.phase === 'Pending' && next.phase === 'Running')) return;
    const seenMs = Date.parse(pod.metadata.annotations?.[configSeenAnnotation] ?? '');
    if (!Number.isNaN(seenMs)) duration.observe(Math.max(0, nowMs - seenMs) / 1000);
  };
}

type StatusLists = Pick<PodStatus, 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses'>;

const containerTypes: readonly (readonly [keyof StatusLists, string])[] = [
  ['initContainerStatuses', 'init_container'],
  ['containerStatuses', 'container'],
  ['ephemeralContainerStatuses', 'ephemeral_container'],
];

/**
 * Counts containers that the new status shows as terminated and the previous one did not. Source: kubernetes v1.36
 * pkg/kubelet/status/status_manager.go checkAndRecordTerminations.
 */
export function terminationCounter(registry: MetricsRegistry): (previous: StatusLists, next: StatusLists) => void {
  const counter = registry.counter({
    name: 'kubelet_terminated_containers_total',
    help: 'Cumulative number of container terminations.',
    labels: ['container_type', 'exit_code', 'reason'],
  });
  return (previous, next) => {
    for (const [list, type] of containerTypes) {
      for (const { exitCode, reason = '' } of newlyEnded(previous[list], next[list])) {
        counter.increment({ container_type: type, exit_code: String(exitCode), reason });
      }
    }
  };
}

function newlyEnded(
  before: readonly ContainerStatus[] = [],
  after: readonly ContainerStatus[] = [],
): readonly NonNullable<NonNullable<ContainerStatus['state']>['terminated']>[] {
  return after.flatMap(({ name, state }) => {
    const known = before.find((status) => status.name === name);
    return state?.terminated === undefined || known?.state?.terminated !== undefined ? [] : [state.terminated];
  });
}
