import type { Counter, MetricsRegistry } from '@podwright/metrics';

/** Upstream's metrics of the memory manager. Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
export class MemoryManagerMetrics {
  readonly requests: Counter;
  readonly errors: Counter;
  private readonly allocations?: Counter;
  private readonly allocationErrors?: Counter;
  private readonly assignments?: Counter;

  /** `podLevel`: upstream has the metrics of allocations behind gate PodLevelResourceManagers. */
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
    if (!podLevel) return;
    this.allocations = metrics.counter({
      name: 'resource_manager_allocations_total',
      help: 'Number of exclusive resource allocations performed by a resource manager.',
      labels: ['resource_name', 'source'],
    });
    this.allocationErrors = metrics.counter({
      name: 'resource_manager_allocation_errors_total',
      help: 'Number of errors encountered during exclusive resource allocation.',
      labels: ['resource_name', 'source'],
    });
    this.assignments = metrics.counter({
      name: 'resource_manager_container_assignments',
      help: 'Number of containers with a specific type of resource assignment.',
      labels: ['resource_name', 'assignment_type'],
    });
  }

  allocated(source: 'node' | 'pod'): void {
    this.allocations?.increment({ resource_name: 'memory', source });
  }

  failed(source: 'node' | 'pod'): void {
    this.errors.increment();
    this.allocationErrors?.increment({ resource_name: 'memory', source });
  }

  assigned(type: 'node_exclusive' | 'pod_exclusive' | 'pod_shared'): void {
    this.assignments?.increment({ resource_name: 'memory', assignment_type: type });
  }
}
