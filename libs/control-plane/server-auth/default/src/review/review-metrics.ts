import type { Counter, Histogram, MetricsRegistry } from '@podwright/metrics';

/** Metrics of one kind of review; label `code`: the HTTP status, or `<error>` without an answer. */
export interface ReviewMetrics {
  readonly requests: Counter;
  /** Seconds. */
  readonly duration: Histogram;
}

/**
 * Registers upstream's metrics of one kind of review. Source: kubernetes v1.36
 * apiserver/pkg/authentication/authenticatorfactory/metrics.go and
 * apiserver/pkg/authorization/authorizerfactory/metrics.go.
 */
export function createReviewMetrics(metrics: MetricsRegistry, what: 'authn' | 'authz'): ReviewMetrics {
  const prefix = `apiserver_delegated_${what}_request`;
  return {
    requests: metrics.counter({
      name: `${prefix}_total`,
      help: 'Number of HTTP requests partitioned by status code.',
      labels: ['code'],
    }),
    duration: metrics.histogram({
      name: `${prefix}_duration_seconds`,
      help: 'Request latency in seconds. Broken down by status code.',
      labels: ['code'],
      buckets: [0.25, 0.5, 0.7, 1, 1.5, 3, 5, 10],
    }),
  };
}
