import { KubeletError } from '@podwright/errors';
import type { MetricPoint } from './metric-family.js';
import type { Labels, MetricOptions } from './metrics-registry.js';

const defaultMaxSeries = 2000;

/** One label combination and its state. */
export interface Series<S> {
  /** Sorted by name, as in the output. */
  readonly labels: MetricPoint['labels'];
  readonly state: S;
}

const none: readonly never[] = [];

/** The series of one metric by label values. Beyond the limit, all new label values share one series named `other`. */
export class SeriesSet<S> {
  // Made with the first series: of a kubelet's metrics with labels, half never get one.
  private byKey: Map<string, Series<S>> | undefined;
  /** Cache of the sorted series until one is added or removed: most renderings show the same series. */
  private order: readonly Series<S>[] | undefined;
  private readonly names: readonly string[];

  constructor(
    private readonly options: MetricOptions,
    private readonly create: () => S,
  ) {
    const { labels = none } = options;
    this.names = labels.length === 0 ? none : [...labels].sort();
    // Like Go's client, a metric without labels shows its one series from the start.
    if (this.names.length === 0) this.state();
  }

  /** The state for these labels, created when new. Throws `invalid-argument` when a label is missing or unknown. */
  state(labels: Labels = {}): S {
    const key = this.keyOf(labels);
    // A metric without labels needs no map: its one series is the whole order.
    const known = this.names.length === 0 ? this.order?.[0] : this.byKey?.get(key);
    if (known !== undefined) return known.state;
    if ((this.byKey?.size ?? 0) >= (this.options.maxSeries ?? defaultMaxSeries)) return this.overflow();
    return this.add(key, labels);
  }

  remove(labels: Labels): void {
    const key = this.keyOf(labels);
    if (this.names.length === 0 || this.byKey?.delete(key) === true) this.order = undefined;
  }

  clear(): void {
    this.byKey = undefined;
    this.order = undefined;
  }

  /** Series sorted by label values, first by the values of the first label name, as in Go's client. */
  sorted(): readonly Series<S>[] {
    this.order ??= [...(this.byKey ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, series]) => series);
    return this.order;
  }

  private overflow(): S {
    const labels = Object.fromEntries(this.names.map((name) => [name, 'other']));
    const key = this.keyOf(labels);
    return this.byKey?.get(key)?.state ?? this.add(key, labels);
  }

  private add(key: string, labels: Labels): S {
    const state = this.create();
    if (this.names.length === 0) {
      this.order = [{ labels: none, state }];
      return state;
    }
    this.byKey ??= new Map();
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
