import type { Counter, Gauge, MetricsRegistry } from '@podwright/metrics';
import {
  alignmentMetrics,
  allocationMetrics,
  type AlignmentMetrics,
  type AllocationMetrics,
} from '@podwright/topology-manager-interface';

/** Upstream's metrics of the CPU manager. Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
export class CpuManagerMetrics {
  readonly requests: Counter;
  readonly errors: Counter;
  private readonly sharedMilli: Gauge;
  private readonly exclusive: Gauge;
  private readonly perNode: Gauge;
  /** Nodes with a series: as upstream, one that never had an assigned CPU has none. */
  private readonly shownNodes = new Set<number>();
  private readonly alignment: AlignmentMetrics;
  /** Only with gate PodLevelResourceManagers. */
  readonly allocations?: AllocationMetrics;

  /** `podLevel`: whether gate PodLevelResourceManagers is on. */
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
    this.alignment = alignmentMetrics(metrics);
    this.requests.increment({}, 0);
    this.errors.increment({}, 0);
    this.sharedMilli.set(0);
    this.exclusive.set(0);
    if (podLevel) this.allocations = allocationMetrics(metrics, 'cpu');
  }

  showAlignment(): void {
    const { aligned, notAligned } = this.alignment;
    notAligned.increment({ scope: 'container', boundary: 'physical_cpu' }, 0);
    aligned.increment({ scope: 'container', boundary: 'physical_cpu' }, 0);
    aligned.increment({ scope: 'container', boundary: 'uncore_cache' }, 0);
  }

  /** Reports the pools. `perNode`: exclusive CPUs by NUMA node. */
  show(sharedCpus: number, exclusiveCpus: number, perNode: ReadonlyMap<number, number>): void {
    this.sharedMilli.set(sharedCpus * 1000);
    this.exclusive.set(exclusiveCpus);
    for (const [node, cpus] of perNode) {
      if (cpus === 0 && !this.shownNodes.has(node)) continue;
      this.shownNodes.add(node);
      this.perNode.set(cpus, { numa_node: String(node) });
    }
  }

  physicalAlignment(ok: boolean): void {
    const { aligned, notAligned } = this.alignment;
    (ok ? aligned : notAligned).increment({ scope: 'container', boundary: 'physical_cpu' });
  }

  sharesCache(): void {
    this.alignment.aligned.increment({ scope: 'container', boundary: 'uncore_cache' });
  }
}
