import type { Counter, Gauge, MetricsRegistry } from '@podwright/metrics';

/** Upstream's metrics of the CPU manager. Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
export class CpuManagerMetrics {
  readonly requests: Counter;
  readonly errors: Counter;
  private readonly sharedMilli: Gauge;
  private readonly exclusive: Gauge;
  private readonly perNode: Gauge;
  private readonly aligned: Counter;
  private readonly notAligned: Counter;
  private readonly allocations?: Counter;
  private readonly allocationErrors?: Counter;
  private readonly assignments?: Counter;

  /** `podLevel`: upstream has the metrics of allocations behind gate PodLevelResourceManagers. */
  constructor(metrics: MetricsRegistry, podLevel: boolean) {
    this.requests = metrics.counter({
      name: 'kubelet_cpu_manager_pinning_requests_total',
      help: 'The number of cpu core allocations which required pinning.',
    });
    this.errors = metrics.counter({
      name: 'kubelet_cpu_manager_pinning_errors_total',
      help: 'The number of cpu core allocations which required pinning failed.',
    });
    this.sharedMilli = metrics.gauge({
      name: 'kubelet_cpu_manager_shared_pool_size_millicores',
      help: 'The size of the shared CPU pool for non-guaranteed QoS pods, in millicores.',
    });
    this.exclusive = metrics.gauge({
      name: 'kubelet_cpu_manager_exclusive_cpu_allocation_count',
      help: 'The total number of CPUs exclusively allocated to containers running on this node',
    });
    this.perNode = metrics.gauge({
      name: 'kubelet_cpu_manager_allocation_per_numa',
      help: 'Number of CPUs allocated per NUMA node',
      labels: ['numa_node'],
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
    this.sharedMilli.set(0);
    this.exclusive.set(0);
    if (podLevel) {
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
  }

  showAlignment(): void {
    this.notAligned.increment({ scope: 'container', boundary: 'physical_cpu' }, 0);
    this.aligned.increment({ scope: 'container', boundary: 'physical_cpu' }, 0);
    this.aligned.increment({ scope: 'container', boundary: 'uncore_cache' }, 0);
  }

  /** `perNode`: CPUs that are given out, by NUMA node. */
  show(sharedCpus: number, exclusiveCpus: number, perNode: ReadonlyMap<number, number>): void {
    this.sharedMilli.set(sharedCpus * 1000);
    this.exclusive.set(exclusiveCpus);
    for (const [node, cpus] of perNode) this.perNode.set(cpus, { numa_node: String(node) });
  }

  physicalAlignment(ok: boolean): void {
    (ok ? this.aligned : this.notAligned).increment({ scope: 'container', boundary: 'physical_cpu' });
  }

  sharesCache(): void {
    this.aligned.increment({ scope: 'container', boundary: 'uncore_cache' });
  }

  allocated(source: 'node' | 'pod'): void {
    this.allocations?.increment({ resource_name: 'cpu', source });
  }

  failed(source: 'node' | 'pod'): void {
    this.allocationErrors?.increment({ resource_name: 'cpu', source });
  }

  assigned(type: 'node_exclusive' | 'pod_exclusive' | 'pod_shared'): void {
    this.assignments?.increment({ resource_name: 'cpu', assignment_type: type });
  }
}
