/** Cumulative counts by upper bound, ascending, the last one +Inf. */
export interface HistogramValue {
  readonly buckets: readonly { readonly upperBound: number; readonly count: number }[];
  readonly sum: number;
  readonly count: number;
}

/** One series at one moment. */
export interface MetricPoint {
  /** Name and value pairs, in the order in which they are printed. */
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly value: number | HistogramValue;
  /** Printed when given. Milliseconds since 1970. */
  readonly timestampMs?: number;
}

/** All series of one name. */
export interface MetricFamily {
  readonly name: string;
  /** As printed, with the stability in front where there is one: `[ALPHA] Number of ...`. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Made while they are written, so that a large family is never in memory as a whole. */
  readonly points: Iterable<MetricPoint>;
}

/** Anything that can be scraped: a registry, or a set of families that is made from somebody's readings. */
export interface MetricsSource {
  /** Reads what has to be read; the families come in the order of their names. A family that fails is left out by the source. */
  gather(): Promise<Iterable<MetricFamily>>;
}

/** Prometheus text 0.0.4, OpenMetrics text 1.0.0, or delimited `io.prometheus.client.MetricFamily` messages. */
export type MetricsFormat = 'text' | 'openmetrics' | 'protobuf';
