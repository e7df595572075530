import { exponentialBuckets, type MetricsRegistry } from '@podwright/metrics';
import { alignmentMetrics } from '@podwright/topology-manager-interface';

/** Upstream's metrics of admission and alignment. Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
export class TopologyManagerMetrics {
  private readonly requests;
  private readonly errors;
  private readonly duration;
  private readonly alignments;

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
    this.alignments = alignmentMetrics(metrics);
    this.requests.increment({}, 0);
    this.errors.increment({}, 0);
  }

  /** Shows the series that upstream shows from the start, unless the policy is none. */
  showAlignment(): void {
    const { aligned, notAligned } = this.alignments;
    for (const scope of ['container', 'pod'] as const) {
      aligned.increment({ scope, boundary: 'numa_node' }, 0);
      notAligned.increment({ scope, boundary: 'numa_node' }, 0);
    }
  }

  admissionAsked(): void {
    this.requests.increment();
  }

  /** As upstream, whole milliseconds. */
  admissionTook(ms: number): void {
    this.duration.observe(Math.trunc(ms));
  }

  refused(): void {
    this.errors.increment();
  }

  alignment(scope: 'container' | 'pod', ok: boolean): void {
    const { aligned, notAligned } = this.alignments;
    (ok ? aligned : notAligned).increment({ scope, boundary: 'numa_node' });
  }
}
