import type { HistogramOptions, MetricsRegistry } from '@podwright/metrics';

/** The duration of operations on volumes. Source: kubernetes v1.36 pkg/volume/util/metrics.go. */
export const storageOperationDuration: HistogramOptions = {
  name: 'storage_operation_duration_seconds',
  help: 'Storage operation duration',
  labels: ['volume_plugin', 'operation_name', 'status', 'migrated'],
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600],
};

/**
 * Makes the observer of ownership changes, for `OwnershipWatch.onDone` of `@podwright/filesystem`. `volumePlugin` is
 * the plugin's name, for CSI with `:` and the driver's name. As upstream, no change counts as migrated.
 */
export function observeAccessControl(
  registry: Pick<MetricsRegistry, 'histogram'>,
  volumePlugin: string,
): (status: 'success' | 'fail-unknown', seconds: number) => void {
  const durations = registry.histogram(storageOperationDuration);
  return (status, seconds) =>
    durations.observe(seconds, {
      volume_plugin: volumePlugin,
      operation_name: 'volume_apply_access_control',
      status,
      migrated: 'false',
    });
}
