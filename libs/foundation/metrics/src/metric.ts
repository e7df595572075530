import type { HistogramValue, MetricPoint } from './metric-family.js';
import type { Counter, Gauge, Histogram, HistogramOptions, MetricOptions, Sample } from './metrics-registry.js';
import { NativeBuckets } from './native-buckets.js';
import { SeriesSet } from './series-set.js';

/** A metric for the registry: its type, and its points, computed one at a time. */
export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  points(): Iterable<MetricPoint>;
}

interface Cell {
  value: number;
}

function* valuePoints(series: SeriesSet<Cell>): Iterable<MetricPoint> {
  for (const { labels, state } of series.sorted()) yield { labels, value: state.value };
}

export class CounterMetric implements Metric, Counter {
  readonly type = 'counter';
  private readonly series: SeriesSet<Cell>;

  constructor(options: MetricOptions) {
    this.series = new SeriesSet(options, () => ({ value: 0 }));
  }

  // Ignores a negative step: Prometheus takes a falling counter for a restart of the process.
  increment(labels = {}, by = 1): void {
    const cell = this.series.state(labels);
    if (by > 0) cell.value += by;
  }

  remove(labels: Readonly<Record<string, string>>): void {
    this.series.remove(labels);
  }

  points(): Iterable<MetricPoint> {
    return valuePoints(this.series);
  }
}

export class GaugeMetric implements Metric, Gauge {
  readonly type = 'gauge';
  private readonly series: SeriesSet<Cell>;

  constructor(options: MetricOptions) {
    this.series = new SeriesSet(options, () => ({ value: 0 }));
  }

  set(value: number, labels = {}): void {
    this.series.state(labels).value = value;
  }
  add(by: number, labels = {}): void {
    this.series.state(labels).value += by;
  }
  remove(labels: Readonly<Record<string, string>>): void {
    this.series.remove(labels);
  }
  clear(): void {
    this.series.clear();
  }
  points(): Iterable<MetricPoint> {
    return valuePoints(this.series);
  }
}

interface Distribution {
  /** Observations per bucket, not cumulative; the last bucket is +Inf. */
  readonly counts: number[];
  sum: number;
  readonly native: NativeBuckets | undefined;
}

export class HistogramMetric implements Metric, Histogram {
  readonly type = 'histogram';
  private readonly series: SeriesSet<Distribution>;

  constructor(
    private readonly options: HistogramOptions,
    nativeBuckets: boolean,
  ) {
    this.series = new SeriesSet(options, () => ({
      counts: new Array<number>(options.buckets.length + 1).fill(0),
      sum: 0,
      native: nativeBuckets ? new NativeBuckets() : undefined,
    }));
  }

  observe(value: number, labels = {}): void {
    const distribution = this.series.state(labels);
    const found = this.options.buckets.findIndex((bound) => value <= bound);
    const bucket = found === -1 ? this.options.buckets.length : found;
    distribution.counts[bucket] = (distribution.counts[bucket] ?? 0) + 1;
    distribution.sum += value;
    distribution.native?.observe(value);
  }

  remove(labels: Readonly<Record<string, string>>): void {
    this.series.remove(labels);
  }

  *points(): Iterable<MetricPoint> {
    for (const { labels, state } of this.series.sorted()) yield { labels, value: this.valueOf(state) };
  }

  private valueOf({ counts, sum, native }: Distribution): HistogramValue {
    let count = 0;
    const buckets = counts.map((inBucket, index) => {
      count += inBucket;
      return { upperBound: this.options.buckets[index] ?? Number.POSITIVE_INFINITY, count };
    });
    return { buckets, sum, count, ...(native !== undefined && { native: native.value() }) };
  }
}

/** The points of computed samples, sorted by label values as in {@link SeriesSet}. */
export function samplePoints(samples: Iterable<Sample>, maxSeries = Number.POSITIVE_INFINITY): readonly MetricPoint[] {
  const points: { readonly key: string; readonly point: MetricPoint }[] = [];
  for (const { value, labels = {}, timestampMs } of samples) {
    if (points.length >= maxSeries) break;
    const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
    const point = { labels: pairs, value, ...(timestampMs === undefined ? {} : { timestampMs }) };
    points.push({ key: pairs.map(([, text]) => text).join('\u0000'), point });
  }
  return points.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ point }) => point);
}
