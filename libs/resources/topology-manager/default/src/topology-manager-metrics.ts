import { exponentialBuckets, type MetricsRegistry } from '@podwright/metrics';

/** Upstream's metrics of admission and alignment. Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
export class TopologyManagerMetrics {
  private readonly requests;
  private readonly errors;
  private readonly duration;
  private readonly aligned;
  private readonly notAligned;

  constructor(metrics: MetricsRegistry) {
    this.requests = metrics.counter({
      name: 'kubelet_topology_manager_admission_requests_total',
      help: 'The number of admission requests where resources have to be aligned.',
    });
    this.errors = metrics.counter({
      name: 'kubelet_topology_manager_admission_errors_total',
      help: 'The number of admission request failures where resources could not be aligned.',
    });
    this.duration = metrics.histogram({
      name: 'kubelet_topology_manager_admission_duration_ms',
      help: 'Duration in milliseconds to serve a pod admission request.',
      buckets: exponentialBuckets(0.05, 2, 15),
    });
    const labels = ['scope', 'boundary'];
    this.aligned = metrics.counter({
      name: 'kubelet_container_aligned_compute_resources_count',
      help: 'Cumulative number of aligned compute resources allocated to containers by alignment type.',
      labels,
    });
    this.notAligned = metrics.counter({
      name: 'kubelet_container_aligned_compute_resources_failure_count',
      help: 'Cumulative number of failures to allocate aligned compute resources to containers by alignment type.',
      labels,
    });
    this.requests.increment({}, 0);
    this.errors.increment({}, 0);
  }

  /** Shows the series that upstream shows from the start, unless the policy is none. */
  showAlignment(): void {
    for (const scope of ['container', 'pod'] as const) {
      this.aligned.increment({ scope, boundary: 'numa_node' }, 0);
      this.notAligned.increment({ scope, boundary: 'numa_node' }, 0);
    }
  }

  admissionAsked(): void {
    this.requests.increment();
  }

  admissionTook(ms: number): void {
    this.duration.observe(ms);
  }

  refused(): void {
    this.errors.increment();
  }

  alignment(scope: 'container' | 'pod', ok: boolean): void {
    (ok ? this.aligned : this.notAligned).increment({ scope, boundary: 'numa_node' });
  }
}
