import { KubeletError } from '@podwright/errors';
import { yieldToEventLoop } from '@podwright/time';
import { CounterMetric, GaugeMetric, HistogramMetric, sampleLines } from './metric.js';
import type { Metric } from './metric.js';
import type { ComputedOptions, Counter, MetricOptions, MetricsRegistry } from './metrics-registry.js';
import { formatHelp } from './text-format.js';

export interface MetricsRegistryOptions {
  /** Called between slices of a rendering. Default: one turn of the real event loop. */
  readonly yieldTurn?: () => Promise<void>;
}

/** An empty registry, apart from its own error counter. */
export function createMetricsRegistry(options: MetricsRegistryOptions = {}): MetricsRegistry {
  return new TextRegistry(options.yieldTurn ?? yieldToEventLoop);
}

interface Registered {
  readonly options: MetricOptions;
  readonly shape: string;
  readonly metric: Metric;
}

// Some hundred microseconds of work between two turns.
const seriesPerSlice = 500;
const validName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;

class TextRegistry implements MetricsRegistry {
  private readonly registered = new Map<string, Registered>();
  private readonly collectors = new Set<() => void | Promise<void>>();
  private readonly collectErrors: Counter;

  constructor(private readonly yieldTurn: () => Promise<void>) {
    this.collectErrors = this.counter({
      name: 'podwright_metrics_collect_errors_total',
      help: 'Number of metric collectors that failed during a rendering',
    });
  }

  counter(options: MetricOptions): CounterMetric {
    return this.register('counter', options, '', () => new CounterMetric(options));
  }

  gauge(options: MetricOptions): GaugeMetric {
    return this.register('gauge', options, '', () => new GaugeMetric(options));
  }

  histogram(options: Parameters<MetricsRegistry['histogram']>[0]): HistogramMetric {
    const ascending = options.buckets.every((bound, index) => index === 0 || bound > (options.buckets[index - 1] ?? 0));
    if (!ascending) throw fault(options.name, 'buckets must ascend');
    return this.register('histogram', options, options.buckets.join(), () => new HistogramMetric(options));
  }

  computed(options: ComputedOptions): () => void {
    const { type, name, maxSeries, collect } = options;
    if (this.registered.has(name)) throw fault(name, 'is registered already');
    this.register(type, options, 'computed', () => ({ type, lines: () => sampleLines(name, collect(), maxSeries) }));
    return () => void this.registered.delete(name);
  }

  onCollect(collect: () => void | Promise<void>): () => void {
    this.collectors.add(collect);
    return () => this.collectors.delete(collect);
  }

  async render(): Promise<string> {
    for (const collect of [...this.collectors]) {
      try {
        await collect();
      } catch {
        // One broken collector must not take all metrics away; the counter shows it.
        this.collectErrors.increment();
      }
    }
    const names = [...this.registered.keys()].sort();
    const slices: string[] = [];
    for (const name of names) {
      const entry = this.registered.get(name);
      if (entry === undefined) continue;
      await this.renderMetric(entry, slices);
      await this.yieldTurn();
    }
    return slices.join('');
  }

  private async renderMetric({ options, metric }: Registered, slices: string[]): Promise<void> {
    const head = `${formatHelp(options.name, options.stability ?? 'ALPHA', options.help)}\n# TYPE ${options.name} ${metric.type}\n`;
    let lines: string[] = [];
    let empty = true;
    const close = (): void => {
      if (lines.length === 0) return;
      slices.push(`${empty ? head : ''}${lines.join('\n')}\n`);
      [lines, empty] = [[], false];
    };
    try {
      for (const line of metric.lines()) {
        lines.push(line);
        if (lines.length < seriesPerSlice) continue;
        close();
        await this.yieldTurn();
      }
    } catch {
      this.collectErrors.increment(); // As in render(): a computed metric that throws is left out.
    }
    close();
  }

  private register<M extends Metric>(type: Metric['type'], options: MetricOptions, extra: string, create: () => M): M {
    const shape = JSON.stringify([type, options.labels ?? [], extra]);
    const known = this.registered.get(options.name);
    if (known !== undefined) {
      if (known.shape !== shape) throw fault(options.name, 'is registered with another type, labels or buckets');
      // Equal shape means that the same code made it.
      return known.metric as M;
    }
    if (!validName.test(options.name)) throw fault(options.name, 'is no metric name');
    const metric = create();
    this.registered.set(options.name, { options, shape, metric });
    return metric;
  }
}

function fault(name: string, problem: string): KubeletError {
  return new KubeletError(`metric ${name}: ${problem}`, { code: 'invalid-argument' });
}
