import { KubeletError } from '@podwright/errors';

export interface KeyedLanesOptions<K, V> {
  /** The work. It is called one at a time per key, with the newest value; the signal aborts on `stop()`. */
  readonly run: (key: K, value: V, signal: AbortSignal) => Promise<void>;
  /** Makes one value of the pending one and a newer one. Default: the newer one. Must not throw. */
  readonly merge?: (pending: V, newer: V) => V;
  /** Told when `run` rejects. The lane goes on with its next value. Must not throw. */
  readonly onError: (key: K, error: unknown) => void;
  /** Most keys with work at one time; a further one makes `submit` throw `resource-exhausted`. Default 10000. */
  readonly maxLanes?: number;
}

interface Lane<V> {
  pending: { readonly value: V } | undefined;
  /** Resolves when the lane has nothing left. Never rejects. */
  done: Promise<void>;
}

/**
 * One lane of work per key: within a key one value at a time, the newest pending one wins; keys never wait for each
 * other. A lane exists only while it has work, so idle keys cost nothing.
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
   * Hands over a value. The work starts in a later microtask, so the caller is never re-entered, and values submitted
   * meanwhile are merged. After `stop()` values are dropped.
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

  /** Takes back the pending value of a key; work that runs is not touched. False when there is none. */
  cancelPending(key: K): boolean {
    const lane = this.lanes.get(key);
    if (lane?.pending === undefined) return false;
    lane.pending = undefined;
    return true;
  }

  /** Resolves when the key (without one: every key) has no work left. */
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
