import type { Gauge, Histogram, MetricsRegistry } from '@podwright/metrics';
import type { Clock } from '@podwright/time';
import type { VolumeRecord, VolumeTable } from './volume-table.js';

const operationBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600];

/** Upstream's metrics of volumes: kubernetes v1.36 pkg/volume/util/metrics.go and pkg/kubelet/volumemanager/metrics. */
export class VolumeMetrics {
  private readonly operations: Histogram;
  private readonly overall: Histogram;
  private readonly cleaned: Gauge;
  private readonly cleanErrors: Gauge;

  constructor(
    registry: MetricsRegistry,
    private readonly clock: Clock,
    table: VolumeTable,
  ) {
    this.operations = registry.histogram({
      name: 'storage_operation_duration_seconds',
      help: 'Storage operation duration',
      labels: ['volume_plugin', 'operation_name', 'status', 'migrated'],
      buckets: operationBuckets,
    });
    this.overall = registry.histogram({
      name: 'volume_operation_total_seconds',
      help: 'Storage operation end to end duration in seconds',
      labels: ['plugin_name', 'operation_name'],
      buckets: operationBuckets,
    });
    this.cleaned = registry.gauge({
      name: 'kubelet_orphan_pod_cleaned_volumes',
      help: 'The total number of orphaned Pods whose volumes were cleaned in the last periodic sweep.',
    });
    this.cleanErrors = registry.gauge({
      name: 'kubelet_orphan_pod_cleaned_volumes_errors',
      help: 'The number of orphaned Pods whose volumes failed to be cleaned in the last periodic sweep.',
    });
    const total = registry.gauge({
      name: 'volume_manager_total_volumes',
      help: 'Number of volumes in Volume Manager',
      labels: ['plugin_name', 'state'],
    });
    registry.onCollect(() => {
      total.clear();
      const records = table.all();
      for (const [state, counted] of [
        ['actual_state_of_world', records],
        ['desired_state_of_world', records.filter(({ wanted }) => wanted)],
      ] as const) {
        for (const [plugin_name, count] of countByPlugin(counted)) total.set(count, { plugin_name, state });
      }
    });
  }

  /** Runs and times one operation. */
  async measure(plugin: string, operation: 'volume_mount' | 'volume_unmount', run: () => Promise<void>): Promise<void> {
    const startedAt = this.clock.monotonic();
    const observe = (status: string): void =>
      this.operations.observe((this.clock.monotonic() - startedAt) / 1000, {
        volume_plugin: plugin,
        operation_name: operation,
        status,
        migrated: 'false',
      });
    try {
      await run();
      observe('success');
    } catch (error) {
      observe('fail-unknown');
      throw error;
    }
  }

  /** From the pod's wish to the mounted volume, with all retries. */
  mounted(plugin: string, wantedAtMs: number): void {
    const seconds = (this.clock.monotonic() - wantedAtMs) / 1000;
    this.overall.observe(seconds, { plugin_name: plugin, operation_name: 'overall_volume_mount' });
  }

  swept(cleanedPods: number, failedPods: number): void {
    this.cleaned.set(cleanedPods);
    this.cleanErrors.set(failedPods);
  }
}

function countByPlugin(records: readonly VolumeRecord[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { plugin } of records) counts.set(plugin.name, (counts.get(plugin.name) ?? 0) + 1);
  return counts;
}
