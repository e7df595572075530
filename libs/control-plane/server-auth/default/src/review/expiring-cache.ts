import type { Clock } from '@podwright/time';

interface Entry<V> {
  readonly value: V;
  readonly untilMs: number;
}

/** Values with a life, the least recently used one going first when there is no room. */
export class ExpiringCache<V> {
  private readonly entries = new Map<string, Entry<V>>();

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly maxEntries: number,
  ) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: string): V | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    if (this.clock.monotonic() >= entry.untilMs) return undefined;
    // Put last again: the map's order is that of use.
    this.entries.set(key, entry);
    return entry.value;
  }

  /** A life of 0 keeps nothing. */
  set(key: string, value: V, lifeMs: number): void {
    this.entries.delete(key);
    if (lifeMs <= 0) return;
    this.entries.set(key, { value, untilMs: this.clock.monotonic() + lifeMs });
    if (this.entries.size > this.maxEntries) this.entries.delete(this.entries.keys().next().value as string);
  }

  clear(): void {
    this.entries.clear();
  }
}
