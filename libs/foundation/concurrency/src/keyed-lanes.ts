import { KubeletError } from '@podwright/errors';

export interface KeyedLanesOptions<K, V> {
  /**
   * Does the work for a key, with its newest value. Never runs twice at a time for one key. The signal aborts on
   * `stop()`.
   */
  readonly run: (key: K, value: V, signal: AbortSignal) => Promise<void>;
  /** Merges a pending value with a newer one. Default: the newer one replaces it. Must not throw. */
  readonly merge?: (pending: V, newer: V) => V;
  /** Called when `run` rejects; the lane then continues with its next value. Must not throw. */
  readonly onError: (key: K, error: unknown) => void;
  /** The most keys with work at the same time; `submit` throws `resource-exhausted` for further ones. Default 10000. */
  readonly maxLanes?: number;
}

interface Lane<V> {
  pending: { readonly value: V } | undefined;
  /** Resolves when the lane has no work left. Never rejects. */
  done: Promise<void>;
}

/**
 * Runs work in one lane per key. A lane runs one value at a time, and a newer pending value replaces (or merges with)
 * an older one. Lanes do not wait for each other. A lane exists only while it has work, so idle keys cost nothing.
 */
export class KeyedLanes<K, V> {
  private readonly lanes = new Map<K, Lane<V>>();
  private readonly stopping = new AbortController();
  private readonly maxLanes: number;

  constructor(private readonly options: KeyedLanesOptions<K, V>) {
    this.maxLanes = options.maxLanes ?? 10_000;
  }

  /** Number of keys with work. */
  get size(): number {
    return this.lanes.size;
  }

  /** True while the key has work, running or pending. */
  isBusy(key: K): boolean {
    return this.lanes.has(key);
  }

  /**
   * Submits a value. The work starts in a later microtask, so `run` never runs inside the caller, and values submitted
   * until then are merged. Values submitted after `stop()` are dropped.
   */
  submit(key: K, value: V): void {
    if (this.stopping.signal.aborted) return;
    const lane = this.lanes.get(key);
    if (lane !== undefined) {
      const merge = this.options.merge;
      const merged = lane.pending === undefined || merge === undefined ? value : merge(lane.pending.value, value);
      lane.pending = { value: merged };
      return;
    }
    if (this.lanes.size >= this.maxLanes) {
      throw new KubeletError(`${this.lanes.size} keys have work already`, { code: 'resource-exhausted' });
    }
    const opened: Lane<V> = { pending: { value }, done: Promise.resolve() };
    this.lanes.set(key, opened);
    opened.done = this.drain(key, opened);
  }

  /** Drops the pending value of a key, not its running work. False when nothing is pending. */
  cancelPending(key: K): boolean {
    const lane = this.lanes.get(key);
    if (lane?.pending === undefined) return false;
    lane.pending = undefined;
    return true;
  }

  /** Resolves when `key` has no work left; without `key`, when no key has. */
  async whenIdle(key?: K): Promise<void> {
    if (key !== undefined) return this.lanes.get(key)?.done;
    while (this.lanes.size > 0) await Promise.all([...this.lanes.values()].map((lane) => lane.done));
  }

  /** Drops pending values, aborts the signal of running work and waits for its end. May be called twice. */
  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('lanes are stopping', { code: 'cancelled' }));
    for (const lane of this.lanes.values()) lane.pending = undefined;
    await this.whenIdle();
  }

  private async drain(key: K, lane: Lane<V>): Promise<void> {
    await Promise.resolve();
    while (lane.pending !== undefined) {
      const { value } = lane.pending;
      lane.pending = undefined;
      try {
        await this.options.run(key, value, this.stopping.signal);
      } catch (error) {
        this.options.onError(key, error);
      }
    }
    this.lanes.delete(key);
  }
}
