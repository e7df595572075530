import { KubeletError } from '@podwright/errors';
import type { MetricPoint } from './metric-family.js';
import type { Labels, MetricOptions } from './metrics-registry.js';

const defaultMaxSeries = 2000;

/** One label combination and what is kept for it. */
export interface Series<S> {
  /** Sorted by name, as they are printed. */
  readonly labels: MetricPoint['labels'];
  readonly state: S;
}

/** The series of one metric by their label values, bounded: past the limit all further ones share one named `other`. */
export class SeriesSet<S> {
  private readonly byKey = new Map<string, Series<S>>();
  /** Known until a series comes or goes: most renderings show the same ones. */
  private order: readonly Series<S>[] | undefined;
  private readonly names: readonly string[];
  private readonly maxSeries: number;

  constructor(
    private readonly options: MetricOptions,
    private readonly create: () => S,
  ) {
    this.names = [...(options.labels ?? [])].sort();
    this.maxSeries = options.maxSeries ?? defaultMaxSeries;
    // Without labels there is one series, shown from the start, as Go's client does.
    if (this.names.length === 0) this.state();
  }

  /** What is kept for these labels; made when new. Throws `invalid-argument` when a label is missing or unknown. */
  state(labels: Labels = {}): S {
    const key = this.keyOf(labels);
    const known = this.byKey.get(key);
    if (known !== undefined) return known.state;
    if (this.byKey.size >= this.maxSeries) return this.overflow();
    return this.add(key, labels);
  }

  remove(labels: Labels): void {
    if (this.byKey.delete(this.keyOf(labels))) this.order = undefined;
  }

  clear(): void {
    this.byKey.clear();
    this.order = undefined;
  }

  /** Sorted by label values, those of the first label name first, as Go's client does. */
  sorted(): readonly Series<S>[] {
    this.order ??= [...this.byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, series]) => series);
    return this.order;
  }

  private overflow(): S {
    const labels = Object.fromEntries(this.names.map((name) => [name, 'other']));
    const key = this.keyOf(labels);
    return this.byKey.get(key)?.state ?? this.add(key, labels);
  }

  private add(key: string, labels: Labels): S {
    const state = this.create();
    this.byKey.set(key, { labels: this.names.map((name) => [name, labels[name] ?? '']), state });
    this.order = undefined;
    return state;
  }

  private keyOf(labels: Labels): string {
    let key = '';
    for (const name of this.names) {
      const value = labels[name];
      if (value === undefined) throw this.fault(`label ${name} is missing`);
      key += `${value}\u0000`;
    }
    if (Object.keys(labels).length !== this.names.length) {
      const unknown = Object.keys(labels).filter((name) => !this.names.includes(name));
      throw this.fault(`labels ${unknown.join(', ')} were not registered`);
    }
    return key;
  }

  private fault(problem: string): KubeletError {
    return new KubeletError(`metric ${this.options.name}: ${problem}`, { code: 'invalid-argument' });
  }
}
