import type { MetricsSource } from './metric-family.js';

/** Label values by label name. Every label of the metric's options must be present. */
export type Labels = Readonly<Record<string, string>>;

/** How stable a metric's name and labels are. Source: kubernetes v1.36 component-base/metrics/opts.go StabilityLevel. */
export type Stability = 'INTERNAL' | 'ALPHA' | 'BETA' | 'STABLE' | 'none';

export interface MetricOptions {
  /** Full name with upstream's prefix, such as `kubelet_pod_worker_duration_seconds`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /**
   * The stability in front of the help text, as upstream prints it. Default `ALPHA`; `none` prints nothing, for the
   * metrics of Go's client library.
   */
  readonly stability?: Stability;
  /** The most label combinations; further ones share one series with the label values `other`. Default 2000. */
  readonly maxSeries?: number;
}

export interface HistogramOptions extends MetricOptions {
  /** Upper bounds, ascending, without +Inf. */
  readonly buckets: readonly number[];
}

export interface Counter {
  increment(labels?: Labels, by?: number): void;
  /** Removes the series of something that no longer exists. If the series comes back, it starts at 0. */
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
  /** As in {@link Counter}. */
  remove(labels: Labels): void;
}

/** One value of a computed metric. */
export interface Sample {
  readonly value: number;
  readonly labels?: Labels;
  /** Milliseconds since 1970, as in upstream's resource metrics. Absent: the output has no timestamp. */
  readonly timestampMs?: number;
}

export interface ComputedOptions extends MetricOptions {
  readonly type: 'counter' | 'gauge';
  /** Called for each rendering. When it throws, the metric is skipped and the error counted. */
  readonly collect: () => Iterable<Sample>;
}

/** One registered metric. */
export interface MetricDescription {
  readonly name: string;
  /** The help text without the stability. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly stability: Stability;
  readonly labels: readonly string[];
  /** Only for a histogram; see {@link HistogramOptions}. */
  readonly buckets?: readonly number[];
}

/**
 * All metrics of one process. Registering a name again returns the same metric, or throws when type, labels or buckets
 * differ. A rendering is sorted by name and skips metrics without series and computed metrics that throw.
 */
export interface MetricsRegistry extends MetricsSource {
  counter(options: MetricOptions): Counter;
  gauge(options: MetricOptions): Gauge;
  histogram(options: HistogramOptions): Histogram;
  /**
   * Registers a metric whose values are computed at each rendering (upstream's custom collectors). Returns unregister.
   */
  computed(options: ComputedOptions): () => void;
  /**
   * Calls and awaits `collect` before each rendering, to update metrics from other sources. An error does not stop the
   * rendering; `podwright_metrics_collect_errors_total` counts it. Returns unsubscribe.
   */
  onCollect(collect: () => void | Promise<void>): () => void;
  /** All registered metrics, sorted by name, including those without series. */
  describe(): readonly MetricDescription[];
  /** All metrics as Prometheus text 0.0.4; `encodeMetrics` renders in pieces and in other formats. */
  render(): Promise<string>;
}
