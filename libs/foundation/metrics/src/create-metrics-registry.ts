import { KubeletError } from '@podwright/errors';
import { encodeMetrics } from './encode-metrics.js';
import { CounterMetric, GaugeMetric, HistogramMetric, samplePoints } from './metric.js';
import type { Metric } from './metric.js';
import type { MetricFamily } from './metric-family.js';
import type {
  ComputedOptions,
  Counter,
  MetricDescription,
  MetricOptions,
  MetricsRegistry,
} from './metrics-registry.js';

export interface MetricsRegistryOptions {
  /** Called between slices of a long rendering. Default: waits for the next turn of the real event loop. */
  readonly yieldTurn?: () => Promise<void>;
  /** Whether histograms also have native buckets, which answers in protobuf show. Default false. */
  readonly nativeHistograms?: boolean;
}

/** Makes a registry that has only its own error counter. */
export function createMetricsRegistry(options: MetricsRegistryOptions = {}): MetricsRegistry {
  return new InMemoryRegistry(options);
}

interface Registered {
  readonly options: MetricOptions & { readonly buckets?: readonly number[] };
  readonly computed: boolean;
  readonly metric: Metric;
}

const validName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;

class InMemoryRegistry implements MetricsRegistry {
  private readonly registered = new Map<string, Registered>();
  private readonly collectors = new Set<() => void | Promise<void>>();
  private readonly collectErrors: Counter;

  constructor(private readonly options: MetricsRegistryOptions) {
    this.collectErrors = this.counter({
      name: 'podwright_metrics_collect_errors_total',
      help: 'Number of metric collectors that failed during a rendering',
    });
  }

  counter(options: MetricOptions): CounterMetric {
    return this.register('counter', options, false, () => new CounterMetric(options));
  }

  gauge(options: MetricOptions): GaugeMetric {
    return this.register('gauge', options, false, () => new GaugeMetric(options));
  }

  histogram(options: Parameters<MetricsRegistry['histogram']>[0]): HistogramMetric {
    const ascending = options.buckets.every((bound, index) => index === 0 || bound > (options.buckets[index - 1] ?? 0));
    if (!ascending) throw fault(options.name, 'buckets must ascend');
    return this.register('histogram', options, false, () => {
      return new HistogramMetric(options, this.options.nativeHistograms === true);
    });
  }

  computed(options: ComputedOptions): () => void {
    const { type, name, maxSeries, collect } = options;
    if (this.registered.has(name)) throw fault(name, 'is registered already');
    this.register(type, options, true, () => ({ type, points: () => samplePoints(collect(), maxSeries) }));
    return () => void this.registered.delete(name);
  }

  onCollect(collect: () => void | Promise<void>): () => void {
    this.collectors.add(collect);
    return () => this.collectors.delete(collect);
  }

  async gather(): Promise<Iterable<MetricFamily>> {
    for (const collect of [...this.collectors]) {
      try {
        await collect();
      } catch {
        // One broken collector must not hide all metrics; the counter reports it.
        this.collectErrors.increment();
      }
    }
    return this.families([...this.registered.keys()].sort());
  }

  describe(): readonly MetricDescription[] {
    const byName = [...this.registered].sort(([a], [b]) => (a < b ? -1 : 1));
    return byName.map(([, registered]) => descriptionOf(registered));
  }

  async render(): Promise<string> {
    let text = '';
    for await (const piece of encodeMetrics(this, 'text', this.options)) text += piece.toString();
    return text;
  }

  /** Yields one family at a time, so that the encoder can let other work run in between. */
  private *families(names: readonly string[]): Iterable<MetricFamily> {
    for (const name of names) {
      const entry = this.registered.get(name);
      if (entry === undefined) continue;
      const points = this.pointsOf(entry.metric);
      if (points !== undefined) yield { name, help: helpText(entry.options), type: entry.metric.type, points };
    }
  }

  private pointsOf(metric: Metric): MetricFamily['points'] | undefined {
    try {
      return metric.points();
    } catch {
      this.collectErrors.increment(); // As in gather(): skips a computed metric that throws.
      return undefined;
    }
  }

  private register<M extends Metric>(
    type: Metric['type'],
    options: Registered['options'],
    computed: boolean,
    create: () => M,
  ): M {
    const known = this.registered.get(options.name);
    if (known !== undefined) {
      if (shapeOf(known) !== shapeOf({ options, computed, metric: { type } })) {
        throw fault(options.name, 'is registered with another type, labels or buckets');
      }
      // The shape determines the type M.
      return known.metric as M;
    }
    if (!validName.test(options.name)) throw fault(options.name, 'is no metric name');
    const metric = create();
    this.registered.set(options.name, { options, computed, metric });
    return metric;
  }
}

/** What two registrations of a name must have in common. */
function shapeOf({
  options: { labels = [], buckets },
  computed,
  metric,
}: Omit<Registered, 'metric'> & { readonly metric: Pick<Metric, 'type'> }): string {
  return JSON.stringify([metric.type, labels, computed ? 'computed' : buckets]);
}

function descriptionOf({ options, metric }: Registered): MetricDescription {
  const { name, help, stability = 'ALPHA', labels = [], buckets } = options;
  return { name, help, type: metric.type, stability, labels, ...(buckets && { buckets }) };
}

function helpText({ help, stability = 'ALPHA' }: MetricOptions): string {
  return stability === 'none' ? help : `[${stability}] ${help}`;
}

function fault(name: string, problem: string): KubeletError {
  return new KubeletError(`metric ${name}: ${problem}`, { code: 'invalid-argument' });
}
