import { defaultBuckets, type Counter, type Histogram, type MetricsRegistry } from '@podwright/metrics';

/** Upstream's metrics of device plugins. Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
export class DeviceMetrics {
  private readonly registrations: Counter;
  private readonly allocations: Histogram;

  constructor(metrics: MetricsRegistry) {
    const labels = ['resource_name'];
    this.registrations = metrics.counter({
      name: 'kubelet_device_plugin_registration_total',
      help: 'Cumulative number of device plugin registrations. Broken down by resource name.',
      labels,
    });
    this.allocations = metrics.histogram({
      name: 'kubelet_device_plugin_alloc_duration_seconds',
      help: 'Duration in seconds to serve a device plugin Allocation request. Broken down by resource name.',
      labels,
      buckets: defaultBuckets,
    });
  }

  registered(resource: string): void {
    this.registrations.increment({ resource_name: resource });
  }

  allocated(resource: string, durationMs: number): void {
    this.allocations.observe(durationMs / 1000, { resource_name: resource });
  }
}
