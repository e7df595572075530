import type { Clock } from '@podwright/time';
import { LruMap } from './lru-map.js';

interface Entry<V> {
  readonly value: V;
  readonly untilMs: number;
}

/** An {@link LruMap} whose entries expire. An expired entry still counts until `get` or `deleteExpired` removes it. */
export class ExpiringCache<V> {
  private readonly entries: LruMap<Entry<V>>;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    maxEntries: number,
  ) {
    this.entries = new LruMap(maxEntries);
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: string): V | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined || this.clock.monotonic() < entry.untilMs) return entry?.value;
    this.entries.delete(key);
    return undefined;
  }

  /** Stores a value for `lifeMs` milliseconds; 0 or less only deletes the key. */
  set(key: string, value: V, lifeMs: number): void {
    if (lifeMs > 0) this.entries.set(key, { value, untilMs: this.clock.monotonic() + lifeMs });
    else this.entries.delete(key);
  }

  deleteWhere(isUnwanted: (value: V) => boolean): void {
    for (const [key, { value }] of this.entries) if (isUnwanted(value)) this.entries.delete(key);
  }

  deleteExpired(): void {
    const nowMs = this.clock.monotonic();
    for (const [key, { untilMs }] of this.entries) if (nowMs >= untilMs) this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}
