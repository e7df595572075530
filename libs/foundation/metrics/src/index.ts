export type { HistogramValue, MetricFamily, MetricPoint, MetricsFormat, MetricsSource } from './metric-family.js';
export type {
  ComputedOptions,
  Counter,
  Gauge,
  Histogram,
  HistogramOptions,
  Labels,
  MetricDescription,
  MetricOptions,
  MetricsRegistry,
  Sample,
  Stability,
} from './metrics-registry.js';
export { encodeMetrics } from './encode-metrics.js';
export type { EncodeOptions } from './encode-metrics.js';
export { negotiateFormat } from './negotiate-format.js';
export type { NegotiatedFormat } from './negotiate-format.js';
export { createMetricsRegistry } from './create-metrics-registry.js';
export type { MetricsRegistryOptions } from './create-metrics-registry.js';
export { registerProcessMetrics } from './process-metrics.js';
export type { ProcessMetricsOptions } from './process-metrics.js';
export { defaultBuckets, exponentialBuckets, exponentialBucketsRange } from './buckets.js';
