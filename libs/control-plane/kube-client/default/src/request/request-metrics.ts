import type { Counter, Histogram, MetricsRegistry } from '@podwright/metrics';

const durationBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const sizeBuckets = [64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216];

/** Metrics of all requests. Source: kubernetes v1.36 component-base/metrics/prometheus/restclient/metrics.go. */
export interface RequestMetrics {
  readonly requests: Counter;
  readonly retries: Counter;
  readonly duration: Histogram;
  readonly rateLimiterDuration: Histogram;
  readonly requestSize: Histogram;
  readonly responseSize: Histogram;
}

export function createRequestMetrics(metrics: MetricsRegistry): RequestMetrics {
  const labels = ['verb', 'host'];
  return {
    requests: metrics.counter({
      name: 'rest_client_requests_total',
      help: 'Number of HTTP requests, partitioned by status code, method, and host.',
      labels: ['code', 'method', 'host'],
    }),
    retries: metrics.counter({
      name: 'rest_client_request_retries_total',
      help: 'Number of request retries, partitioned by status code, verb, and host.',
      labels: ['code', 'verb', 'host'],
    }),
    duration: metrics.histogram({
      name: 'rest_client_request_duration_seconds',
      help: 'Request latency in seconds. Broken down by verb, and host.',
      labels,
      buckets: durationBuckets,
    }),
    rateLimiterDuration: metrics.histogram({
      name: 'rest_client_rate_limiter_duration_seconds',
      help: 'Client side rate limiter latency in seconds. Broken down by verb, and host.',
      labels,
      buckets: durationBuckets,
    }),
    requestSize: metrics.histogram({
      name: 'rest_client_request_size_bytes',
      help: 'Request size in bytes. Broken down by verb and host.',
      labels,
      buckets: sizeBuckets,
    }),
    responseSize: metrics.histogram({
      name: 'rest_client_response_size_bytes',
      help: 'Response size in bytes. Broken down by verb and host.',
      labels,
      buckets: sizeBuckets,
    }),
  };
}
