import { defaultBuckets, type Counter, type Gauge, type Histogram, type MetricsRegistry } from '@podwright/metrics';

export interface TokenCacheMetrics {
  /** Seconds; label `status`: `hit` or `miss`. */
  readonly requestDuration: Histogram;
  /** Label `status`: `hit` or `miss`. */
  readonly requests: Counter;
  /** Label `status`: `ok`, or `error` when the token could not be checked. */
  readonly fetches: Counter;
  /** Label `status`: `in_flight` lookups, `blocked` callers that wait for one. */
  readonly activeFetches: Gauge;
}

/**
 * Registers upstream's metrics of the token cache. Source: kubernetes v1.36
 * apiserver/pkg/authentication/token/cache/stats.go.
 */
export function createTokenCacheMetrics(metrics: MetricsRegistry): TokenCacheMetrics {
  const named = (name: string): { name: string; help: string; labels: readonly string[] } => ({
    name: `authentication_token_cache_${name}`,
    help: '',
    labels: ['status'],
  });
  return {
    requestDuration: metrics.histogram({ ...named('request_duration_seconds'), buckets: defaultBuckets }),
    requests: metrics.counter(named('request_total')),
    fetches: metrics.counter(named('fetch_total')),
    activeFetches: metrics.gauge(named('active_fetch_count')),
  };
}
