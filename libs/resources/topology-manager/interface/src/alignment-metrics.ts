import type { Counter, MetricsRegistry } from '@podwright/metrics';

/** Counts containers by how their resources are aligned: labels `scope` and `boundary`. */
export interface AlignmentMetrics {
  readonly aligned: Counter;
  readonly notAligned: Counter;
}

/** The same two metrics for all managers. Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
export function alignmentMetrics(metrics: MetricsRegistry): AlignmentMetrics {
  const labels = ['scope', 'boundary'];
  return {
    aligned: metrics.counter({
      name: 'kubelet_container_aligned_compute_resources_count',
      help: 'Cumulative number of aligned compute resources allocated to containers by alignment type.',
      labels,
    }),
    notAligned: metrics.counter({
      name: 'kubelet_container_aligned_compute_resources_failure_count',
      help: 'Cumulative number of failures to allocate aligned compute resources to containers by alignment type.',
      labels,
    }),
  };
}
