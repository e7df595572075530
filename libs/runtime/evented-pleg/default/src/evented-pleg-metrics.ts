import { defaultBuckets } from '@podwright/metrics';
import type { Counter, Gauge, Histogram, MetricsRegistry } from '@podwright/metrics';

/** Upstream's metrics for the event stream and for the pleg. */
export class EventedPlegMetrics {
  readonly lastSeen: Gauge;
  readonly connectionErrors: Counter;
  readonly connections: Counter;
  readonly latency: Histogram;

  constructor(metrics: MetricsRegistry) {
    this.lastSeen = metrics.gauge({
      name: 'kubelet_pleg_last_seen_seconds',
      help: 'Timestamp in seconds when PLEG was last seen active.',
    });
    this.connectionErrors = metrics.counter({
      name: 'kubelet_evented_pleg_connection_error_count',
      help: 'The number of errors encountered during the establishment of streaming connection with the CRI runtime.',
    });
    this.connections = metrics.counter({
      name: 'kubelet_evented_pleg_connection_success_count',
      help: 'The number of times a streaming client was obtained to receive CRI Events.',
    });
    this.latency = metrics.histogram({
      name: 'kubelet_evented_pleg_connection_latency_seconds',
      help: 'The latency of streaming connection with the CRI runtime, measured in seconds.',
      buckets: defaultBuckets,
    });
  }
}
