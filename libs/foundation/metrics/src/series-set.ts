import { KubeletError } from '@podwright/errors';
import type { Labels, MetricOptions } from './metrics-registry.js';

const defaultMaxSeries = 2000;

/** One label combination and what is kept for it. */
export interface Series<S> {
  readonly labels: Labels;
  readonly state: S;
}

/** The series of one metric by their label values, bounded: past the limit all further ones share one named `other`. */
export class SeriesSet<S> {
  private readonly byKey = new Map<string, Series<S>>();
  private readonly names: readonly string[];
  private readonly maxSeries: number;

  constructor(
    private readonly options: MetricOptions,
    private readonly create: () => S,
  ) {
    this.names = options.labels ?? [];
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
    this.byKey.delete(this.keyOf(labels));
  }

  clear(): void {
    this.byKey.clear();
  }

  /** Sorted by label values, so that two renderings can be compared. */
  sorted(): readonly Series<S>[] {
    return [...this.byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, series]) => series);
  }

  private overflow(): S {
    const labels = Object.fromEntries(this.names.map((name) => [name, 'other']));
    const key = this.keyOf(labels);
    return this.byKey.get(key)?.state ?? this.add(key, labels);
  }

  private add(key: string, labels: Labels): S {
    const state = this.create();
    this.byKey.set(key, { labels: { ...labels }, state });
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
