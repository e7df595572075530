import type { MetricsSource } from './metric-family.js';

/** Label values by label name; every label named at registration must be given. */
export type Labels = Readonly<Record<string, string>>;

/** How stable a metric's name and labels are. Source: kubernetes v1.36 component-base/metrics/opts.go StabilityLevel. */
export type Stability = 'INTERNAL' | 'ALPHA' | 'BETA' | 'STABLE' | 'none';

export interface MetricOptions {
  /** Full name with upstream's prefix, such as `kubelet_pod_worker_duration_seconds`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /**
   * Upstream prints it as a prefix of the help text. Default `ALPHA`; `none` for those of Go's client library, which have no
   * prefix.
   */
  readonly stability?: Stability;
  /** Most label combinations kept; further ones are counted in one series per metric with the value `other`. Default 2000. */
  readonly maxSeries?: number;
}

export interface HistogramOptions extends MetricOptions {
  /** Upper bounds, ascending, without +Inf. */
  readonly buckets: readonly number[];
}

export interface Counter {
  increment(labels?: Labels, by?: number): void;
  /** The series of something that is gone; it starts at 0 again if it comes back. */
  remove(labels: Labels): void;
}

export interface Gauge {
  add(by: number, labels?: Labels): void;
  set(value: number, labels?: Labels): void;
  remove(labels: Labels): void;
  clear(): void;
}

export interface Histogram {
  observe(value: number, labels?: Labels): void;
  /** As of a {@link Counter}. */
  remove(labels: Labels): void;
}

/** One value that is computed when it is asked for. */
export interface Sample {
  readonly value: number;
  readonly labels?: Labels;
  /** Printed when given, as upstream's resource metrics do. Milliseconds since 1970. */
  readonly timestampMs?: number;
}

export interface ComputedOptions extends MetricOptions {
  readonly type: 'counter' | 'gauge';
  /** Called for each rendering; must not throw (then the metric is left out and the fault counted). */
  readonly collect: () => Iterable<Sample>;
}

/** What was registered under one name. */
export interface MetricDescription {
  readonly name: string;
  /** Without the stability. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly stability: Stability;
  readonly labels: readonly string[];
  /** Of a histogram; see {@link HistogramOptions}. */
  readonly buckets?: readonly number[];
}

/**
 * All metrics of one process. Registering a name twice with the same shape returns the same metric, else throws. As a source it
 * gives them in the order of their names; metrics without series and computed ones that throw are left out.
 */
export interface MetricsRegistry extends MetricsSource {
  counter(options: MetricOptions): Counter;
  gauge(options: MetricOptions): Gauge;
  histogram(options: HistogramOptions): Histogram;
  /** A metric whose values are computed at each rendering (upstream's custom collectors). Returns unregister. */
  computed(options: ComputedOptions): () => void;
  /**
   * Called, and awaited, before each rendering, for values that are read rather than kept. A throwing one is counted in
   * `podwright_metrics_collect_errors_total` and the rendering goes on. Returns unsubscribe.
   */
  onCollect(collect: () => void | Promise<void>): () => void;
  /** Everything that is registered, in the order of the names; also what has no series. */
  describe(): readonly MetricDescription[];
  /** All of it in Prometheus text 0.0.4; `encodeMetrics` gives it in pieces and in other formats. */
  render(): Promise<string>;
}
