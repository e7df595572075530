import type { Counter, Gauge, Histogram, MetricsRegistry } from '@podwright/metrics';

/**
 * Metrics of the connections to the server. Source: kubernetes v1.36
 * component-base/metrics/prometheus/restclient/metrics.go.
 */
export interface TransportMetrics {
  readonly entries: Gauge;
  readonly creations: Counter;
  readonly lookups: Histogram;
  readonly authorityReloads: Counter;
}

export function transportMetrics(registry: MetricsRegistry): TransportMetrics {
  return {
    entries: registry.gauge({
      name: 'rest_client_transport_cache_entries',
      help: 'Number of transport entries in the internal cache.',
    }),
    creations: registry.counter({
      name: 'rest_client_transport_create_calls_total',
      help: 'Number of calls to get a new transport, partitioned by the result of the operation hit: obtained from the cache, miss: created and added to the cache, miss-gc: recreated and added back to the cache after being garbage collected, uncacheable: created and not cached',
      labels: ['result'],
    }),
    lookups: registry.histogram({
      name: 'rest_client_dns_resolution_duration_seconds',
      help: 'DNS resolver latency in seconds. Broken down by host.',
      labels: ['host'],
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30],
    }),
    authorityReloads: registry.counter({
      name: 'rest_client_transport_ca_reload_total',
      help: 'Number of times a CA reload is attempted, partitioned by the result and reason for the reload attempt',
      labels: ['result', 'reason'],
    }),
  };
}
