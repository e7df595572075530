/** Label values by label name; every label named at registration must be given. */
export type Labels = Readonly<Record<string, string>>;

export interface MetricOptions {
  /** Full name with upstream's prefix, such as `kubelet_pod_worker_duration_seconds`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** `ALPHA`, `BETA` or `STABLE`; upstream prints it as a prefix of the help text. Default `ALPHA`. */
  readonly stability?: 'ALPHA' | 'BETA' | 'STABLE';
  /** Most label combinations kept; further ones are counted in one series per metric with the value `other`. Default 2000. */
  readonly maxSeries?: number;
}

export interface HistogramOptions extends MetricOptions {
  /** Upper bounds, ascending, without +Inf. */
  readonly buckets: readonly number[];
}

export interface Counter {
  increment(labels?: Labels, by?: number): void;
}

export interface Gauge {
  set(value: number, labels?: Labels): void;
  remove(labels: Labels): void;
  clear(): void;
}

export interface Histogram {
  observe(value: number, labels?: Labels): void;
}

/** All metrics of one process. Registering a name twice with the same shape returns the same metric, else throws. */
export interface MetricsRegistry {
  counter(options: MetricOptions): Counter;
  gauge(options: MetricOptions): Gauge;
  histogram(options: HistogramOptions): Histogram;
  /** Called before each rendering, for values that are read rather than kept. Returns unsubscribe. */
  onCollect(collect: () => void): () => void;
  /** Prometheus text format 0.0.4. Yields to the event loop between metrics. */
  render(): Promise<string>;
}
