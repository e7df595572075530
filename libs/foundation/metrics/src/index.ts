export type { Counter, Gauge, Histogram, Labels, MetricOptions, MetricsRegistry, HistogramOptions } from './metrics-registry.js';
