import { defaultBuckets, type Gauge, type Histogram, type MetricsRegistry } from '@podwright/metrics';
import type { Clock } from '@podwright/time';
import type { CgroupTree } from './cgroup-tree.js';

type Operation = 'create' | 'update' | 'destroy';

/**
 * Upstream's metrics of cgroups: kubernetes v1.36 pkg/kubelet/metrics/metrics.go CgroupManagerDuration, CgroupVersion.
 */
export class CgroupMetrics {
  private readonly duration: Histogram;
  private readonly version: Gauge;
  private reserved: { readonly min: Gauge; readonly low: Gauge } | undefined;

  constructor(
    private readonly registry: MetricsRegistry,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {
    this.duration = registry.histogram({
      name: 'kubelet_cgroup_manager_duration_seconds',
      help: 'Duration in seconds for cgroup manager operations. Broken down by method.',
      labels: ['operation_type'],
      buckets: defaultBuckets,
    });
    this.version = registry.gauge({ name: 'kubelet_cgroup_version', help: 'cgroup version on the hosts.' });
  }

  foundVersion(version: 1 | 2): void {
    this.version.set(version);
  }

  /** Gate MemoryQoS: as upstream, these two metrics do not exist without it. */
  protect(guaranteedBytes: number, burstableBytes: number): void {
    this.reserved ??= {
      min: this.registry.gauge({
        name: 'kubelet_memory_qos_node_memory_min_bytes',
        help: 'Total cgroup v2 memory.min in bytes for Guaranteed pods. This memory is hard-reserved and never reclaimed by the kernel.',
      }),
      low: this.registry.gauge({
        name: 'kubelet_memory_qos_node_memory_low_bytes',
        help: 'Total cgroup v2 memory.low in bytes for Burstable pods. This memory is soft-reserved and may be reclaimed under extreme pressure.',
      }),
    };
    this.reserved.min.set(guaranteedBytes);
    this.reserved.low.set(burstableBytes);
  }

  /** Records the duration of failed operations as well. */
  async time<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
    const startedAtMs = this.clock.monotonic();
    try {
      return await work();
    } finally {
      this.duration.observe((this.clock.monotonic() - startedAtMs) / 1000, { operation_type: operation });
    }
  }

  /** Wraps the tree so that creations and writes are timed. */
  timed(tree: CgroupTree): CgroupTree {
    return {
      fault: (cgroup) => tree.fault(cgroup),
      isPresent: (cgroup) => tree.isPresent(cgroup),
      isEmpty: (cgroup) => tree.isEmpty(cgroup),
      create: (cgroup) => this.time('create', () => tree.create(cgroup)),
      enableChildren: (cgroup) => tree.enableChildren(cgroup),
      write: (cgroup, values, onRefused) => this.time('update', () => tree.write(cgroup, values, onRefused)),
      read: (cgroup) => tree.read(cgroup),
      memoryUsageBytes: (cgroup) => tree.memoryUsageBytes(cgroup),
      discard: (cgroup) => this.time('destroy', () => tree.discard(cgroup)),
    };
  }
}
