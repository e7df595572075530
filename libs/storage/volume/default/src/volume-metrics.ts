import type { Counter, Gauge, Histogram, MetricsRegistry } from '@podwright/metrics';
import type { Clock } from '@podwright/time';
import { storageOperationDuration } from '@podwright/volume-interface';
import type { PodVolume, VolumeTable } from './volume-table.js';

/** Names of operations as upstream measures them. */
export type VolumeOperation =
  | 'volume_attach'
  | 'volume_detach'
  | 'verify_controller_attached_volume'
  | 'volume_mount'
  | 'volume_unmount'
  | 'unmount_device'
  | 'map_volume'
  | 'unmap_volume'
  | 'unmap_device'
  | 'volume_fs_resize';

interface Counted {
  readonly all: Counter;
  readonly failed: Counter;
}

type Measured = Pick<PodVolume, 'plugin' | 'spec'>;

/** Of CSI volumes the driver is part of the name. */
function pluginLabel({ plugin, spec: { volume, persistentVolume } }: Measured): string {
  const driver =
    persistentVolume?.spec?.csi?.driver ?? (persistentVolume === undefined ? volume.csi?.driver : undefined);
  return driver === undefined ? plugin.name : `${plugin.name}:${driver}`;
}

/** Upstream's metrics of volumes: kubernetes v1.36 pkg/volume/util/metrics.go and pkg/kubelet/volumemanager/metrics. */
export class VolumeMetrics {
  private readonly operations: Histogram;
  private readonly overall: Histogram;
  private readonly cleaned: Gauge;
  private readonly cleanErrors: Gauge;
  private readonly reconstructions: Counted;
  private readonly forcedCleanUps: Counted;

  constructor(
    registry: MetricsRegistry,
    private readonly clock: Clock,
    table: VolumeTable,
  ) {
    this.operations = registry.histogram(storageOperationDuration);
    this.overall = registry.histogram({
      name: 'volume_operation_total_seconds',
      help: 'Storage operation end to end duration in seconds',
      labels: ['plugin_name', 'operation_name'],
      buckets: storageOperationDuration.buckets,
    });
    this.cleaned = registry.gauge({
      name: 'kubelet_orphan_pod_cleaned_volumes',
      help: 'The total number of orphaned Pods whose volumes were cleaned in the last periodic sweep.',
    });
    this.cleanErrors = registry.gauge({
      name: 'kubelet_orphan_pod_cleaned_volumes_errors',
      help: 'The number of orphaned Pods whose volumes failed to be cleaned in the last periodic sweep.',
    });
    const counted = (all: string, failed: string, ofAll: string, ofFailed: string): Counted => ({
      all: registry.counter({ name: all, help: ofAll }),
      failed: registry.counter({ name: failed, help: ofFailed }),
    });
    this.reconstructions = counted(
      'reconstruct_volume_operations_total',
      'reconstruct_volume_operations_errors_total',
      'The number of volumes that were attempted to be reconstructed from the operating system during kubelet startup. This includes both successful and failed reconstruction.',
      'The number of volumes that failed reconstruction from the operating system during kubelet startup.',
    );
    this.forcedCleanUps = counted(
      'force_cleaned_failed_volume_operations_total',
      'force_cleaned_failed_volume_operation_errors_total',
      'The number of volumes that were force cleaned after their reconstruction failed during kubelet startup. This includes both successful and failed cleanups.',
      'The number of volumes that failed force cleanup after their reconstruction failed during kubelet startup.',
    );
    const total = registry.gauge({
      name: 'volume_manager_total_volumes',
      help: 'Number of volumes in Volume Manager',
      labels: ['plugin_name', 'state'],
    });
    registry.onCollect(() => {
      total.clear();
      const records = table.all();
      for (const [state, counted] of [
        ['actual_state_of_world', records.filter(({ state }) => state === 'mounted')],
        ['desired_state_of_world', records.filter(({ wanted }) => wanted)],
      ] as const) {
        for (const [plugin_name, count] of countByPlugin(counted)) total.set(count, { plugin_name, state });
      }
    });
  }

  /** Runs and times one operation. */
  async measure(record: Measured, operation: VolumeOperation, run: () => Promise<void>): Promise<void> {
    const startedAt = this.clock.monotonic();
    // As upstream, the growth of a volume in use never counts as migrated.
    const migrated = record.spec.migrated === true && operation !== 'volume_fs_resize';
    const observe = (status: string): void =>
      this.operations.observe((this.clock.monotonic() - startedAt) / 1000, {
        volume_plugin: pluginLabel(record),
        operation_name: operation,
        status,
        migrated: String(migrated),
      });
    try {
      await run();
      observe('success');
    } catch (error) {
      observe('fail-unknown');
      throw error;
    }
  }

  /**
   * Time from the pod's first request to the mounted volume, with all retries; as upstream, also of each refresh, and not
   * of block devices.
   */
  mounted(record: Measured & Pick<PodVolume, 'isBlockDevice'>, wantedAtMs: number): void {
    if (record.isBlockDevice) return;
    const seconds = (this.clock.monotonic() - wantedAtMs) / 1000;
    this.overall.observe(seconds, { plugin_name: pluginLabel(record), operation_name: 'overall_volume_mount' });
  }

  /** A volume of an earlier kubelet was rebuilt from its files, or not. */
  reconstructed(succeeded: boolean): void {
    this.reconstructions.all.increment();
    if (!succeeded) this.reconstructions.failed.increment();
  }

  /** Counts a clean-up of a volume that could not be rebuilt. */
  async forced(cleanUp: () => Promise<void>): Promise<void> {
    this.forcedCleanUps.all.increment();
    try {
      await cleanUp();
    } catch (error) {
      this.forcedCleanUps.failed.increment();
      throw error;
    }
  }

  /** As upstream, the number of cleaned pods is that of all orphans, those that were not cleaned too. */
  swept(orphans: number, failed: number): void {
    this.cleaned.set(orphans);
    this.cleanErrors.set(failed);
  }
}

function countByPlugin(records: readonly PodVolume[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const record of records) counts.set(pluginLabel(record), (counts.get(pluginLabel(record)) ?? 0) + 1);
  return counts;
}
