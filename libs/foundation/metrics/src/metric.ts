import type { Counter, Gauge, Histogram, HistogramOptions, MetricOptions, Sample } from './metrics-registry.js';
import { SeriesSet } from './series-set.js';
import { formatFloat, formatLabels } from './text-format.js';

/** What the registry needs of any metric: its kind, and the lines below HELP and TYPE, made one series at a time. */
export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  lines(): Iterable<string>;
}

interface Cell {
  value: number;
}

function valueLines(name: string, series: SeriesSet<Cell>): string[] {
  return series.sorted().map(({ labels, state }) => `${name}${formatLabels(labels)} ${formatFloat(state.value)}`);
}

export class CounterMetric implements Metric, Counter {
  readonly type = 'counter';
  private readonly series: SeriesSet<Cell>;

  constructor(private readonly options: MetricOptions) {
    this.series = new SeriesSet(options, () => ({ value: 0 }));
  }

  // A counter that fell would be read as a restart of the process, so a negative step is left out.
  increment(labels = {}, by = 1): void {
    const cell = this.series.state(labels);
    if (by > 0) cell.value += by;
  }

  remove(labels: Readonly<Record<string, string>>): void {
    this.series.remove(labels);
  }

  lines(): Iterable<string> {
    return valueLines(this.options.name, this.series);
  }
}

export class GaugeMetric implements Metric, Gauge {
  readonly type = 'gauge';
  private readonly series: SeriesSet<Cell>;

  constructor(private readonly options: MetricOptions) {
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
  lines(): Iterable<string> {
    return valueLines(this.options.name, this.series);
  }
}

interface Distribution {
  /** Observations by bucket, not cumulative; the last one is +Inf. */
  readonly counts: Float64Array;
  sum: number;
}

export class HistogramMetric implements Metric, Histogram {
  readonly type = 'histogram';
  private readonly series: SeriesSet<Distribution>;
  private readonly bounds: readonly string[];

  constructor(private readonly options: HistogramOptions) {
    this.series = new SeriesSet(options, () => ({ counts: new Float64Array(options.buckets.length + 1), sum: 0 }));
    this.bounds = [...options.buckets.map(formatFloat), '+Inf'];
  }

  observe(value: number, labels = {}): void {
    const distribution = this.series.state(labels);
    const found = this.options.buckets.findIndex((bound) => value <= bound);
    const bucket = found === -1 ? this.options.buckets.length : found;
    distribution.counts[bucket] = (distribution.counts[bucket] ?? 0) + 1;
    distribution.sum += value;
  }

  remove(labels: Readonly<Record<string, string>>): void {
    this.series.remove(labels);
  }

  *lines(): Iterable<string> {
    const { name } = this.options;
    for (const { labels, state } of this.series.sorted()) {
      const plain = formatLabels(labels);
      const open = plain === '' ? '{' : `${plain.slice(0, -1)},`;
      const text: string[] = [];
      let total = 0;
      this.bounds.forEach((bound, index) => {
        total += state.counts[index] ?? 0;
        text.push(`${name}_bucket${open}le="${bound}"} ${total}`);
      });
      text.push(`${name}_sum${plain} ${formatFloat(state.sum)}`, `${name}_count${plain} ${total}`);
      yield text.join('\n');
    }
  }
}

/** Lines of values that are not kept here. */
export function sampleLines(name: string, samples: Iterable<Sample>, maxSeries = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = [];
  for (const { value, labels = {}, timestampMs } of samples) {
    if (lines.length >= maxSeries) break;
    const stamp = timestampMs === undefined ? '' : ` ${Math.trunc(timestampMs)}`;
    lines.push(`${name}${formatLabels(labels)} ${formatFloat(value)}${stamp}`);
  }
  return lines;
}
