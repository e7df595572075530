import type { Counter, MetricsRegistry } from '@podwright/metrics';
import { allocationMetrics, type AllocationMetrics } from '@podwright/topology-manager-interface';

/** Upstream's metrics of the memory manager. Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
export class MemoryManagerMetrics {
  readonly requests: Counter;
  readonly errors: Counter;
  /** Only with gate PodLevelResourceManagers. */
  readonly allocations?: AllocationMetrics;

  /** `podLevel`: whether gate PodLevelResourceManagers is on. */
  constructor(metrics: MetricsRegistry, podLevel: boolean) {
    this.requests = metrics.counter({
      name: 'kubelet_memory_manager_pinning_requests_total',
      help: 'The number of memory pages allocations which required pinning.',
    });
    this.errors = metrics.counter({
      name: 'kubelet_memory_manager_pinning_errors_total',
      help: 'The number of memory pages allocations which required pinning that failed.',
    });
    this.requests.increment({}, 0);
    this.errors.increment({}, 0);
    if (podLevel) this.allocations = allocationMetrics(metrics, 'memory');
  }
}
