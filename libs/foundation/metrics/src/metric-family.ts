/** A histogram: `buckets` are cumulative counts by upper bound, ascending; the last bound is +Inf. */
export interface HistogramValue {
  readonly buckets: readonly { readonly upperBound: number; readonly count: number }[];
  readonly sum: number;
  readonly count: number;
  /** Only in protobuf. */
  readonly native?: NativeHistogramValue;
}

/** Prometheus' native histogram: 2^schema exponential buckets for each power of two. */
export interface NativeHistogramValue {
  readonly schema: number;
  /** Observations up to this distance from zero are in `zeroCount`. */
  readonly zeroThreshold: number;
  readonly zeroCount: number;
  readonly positive: BucketRuns;
  readonly negative: BucketRuns;
}

/** Buckets in a row: where each row begins after the last one, and each count's difference from the one before. */
export interface BucketRuns {
  readonly spans: readonly { readonly offset: number; readonly length: number }[];
  readonly deltas: readonly number[];
}

/** One series at one moment. */
export interface MetricPoint {
  /** Pairs of name and value, in the order of the output. */
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly value: number | HistogramValue;
  /** Milliseconds since 1970. Absent: the output has no timestamp. */
  readonly timestampMs?: number;
}

/** All series of one name. */
export interface MetricFamily {
  readonly name: string;
  /** The help text with its stability, if any, in front: `[ALPHA] Number of ...`. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Computed while they are read, so that a large family is never in memory as a whole. */
  readonly points: Iterable<MetricPoint>;
}

/** Anything that can be scraped: a registry, or metrics computed from other data. */
export interface MetricsSource {
  /** Collects all families, in the order of their names. Skips a family that fails. */
  gather(): Promise<Iterable<MetricFamily>>;
}

/** Prometheus text 0.0.4, OpenMetrics text 1.0.0, or delimited `io.prometheus.client.MetricFamily` messages. */
export type MetricsFormat = 'text' | 'openmetrics' | 'protobuf';
