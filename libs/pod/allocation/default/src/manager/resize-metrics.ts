import type { ResizeConditions } from '@podwright/allocation-interface';
import type { Counter, MetricsRegistry } from '@podwright/metrics';

export interface ResizeMetrics {
  readonly requested: Counter;
  readonly deferredAccepted: Counter;
  readonly infeasible: Counter;
}

/** Registers upstream's metrics of resizes. Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
export function registerResizeMetrics(metrics: MetricsRegistry, conditions: ResizeConditions): ResizeMetrics {
  const all = () => conditions.podUids().flatMap((uid) => conditions.of(uid));
  metrics.computed({
    type: 'gauge',
    name: 'kubelet_pod_pending_resizes',
    help: 'Number of pending resizes for pods.',
    labels: ['reason'],
    collect: () => {
      const counts = new Map<string, number>();
      for (const { type, reason = '' } of all()) {
        if (type !== 'PodResizePending') continue;
        const label = reason.toLowerCase();
        counts.set(label, (counts.get(label) ?? 0) + 1);
      }
      return [...counts].map(([reason, value]) => ({ value, labels: { reason } }));
    },
  });
  metrics.computed({
    type: 'gauge',
    name: 'kubelet_pod_in_progress_resizes',
    help: 'Number of in-progress resizes for pods.',
    collect: () => [{ value: all().filter(({ type }) => type === 'PodResizeInProgress').length }],
  });
  return {
    requested: metrics.counter({
      name: 'kubelet_container_requested_resizes_total',
      help: "Number of requested resizes, counted at the container level. Different resources on the same container are counted separately. The 'requirement' label refers to 'memory' or 'limits'; the 'operation' label can be one of 'add', 'remove', 'increase' or 'decrease'.",
      labels: ['resource', 'requirement', 'operation'],
    }),
    deferredAccepted: metrics.counter({
      name: 'kubelet_pod_deferred_accepted_resizes_total',
      help: 'Cumulative number of resizes that were accepted after being deferred.',
      labels: ['retry_trigger'],
    }),
    infeasible: metrics.counter({
      name: 'kubelet_pod_infeasible_resizes_total',
      help: 'Number of infeasible resizes for pods.',
      labels: ['reason_detail'],
    }),
  };
}
