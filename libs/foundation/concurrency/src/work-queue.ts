import { KubeletError } from '@podwright/errors';
import { OrderedQueue } from '@podwright/time';
import type { Clock, QueueEntry, Timer } from '@podwright/time';

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** The most waiting keys; `enqueue` throws `resource-exhausted` for further ones. Default 10000. */
  readonly maxKeys?: number;
}

/**
 * A queue of keys that become due later. Each key is in the queue once, with the earliest time of its `enqueue` calls.
 * One timer serves all keys. Keys that are due wait until there is a listener.
 */
export class WorkQueue<K> {
  private readonly entries = new Map<K, QueueEntry<K>>();
  private readonly byTime = new OrderedQueue<K>();
  private readonly listeners = new Set<(key: K) => void>();
  private readonly maxKeys: number;
  private timer: { readonly handle: Timer; readonly dueAt: number } | undefined;

  constructor(private readonly options: WorkQueueOptions) {
    this.maxKeys = options.maxKeys ?? 10_000;
  }

  get size(): number {
    return this.entries.size;
  }

  /** Makes the key due in `delayMs`. A key that is already in the queue keeps the earlier time. */
  enqueue(key: K, delayMs: number): void {
    const dueAt = this.options.clock.monotonic() + Math.max(0, delayMs);
    const known = this.entries.get(key);
    if (known !== undefined && known.order <= dueAt) return;
    if (known === undefined && this.entries.size >= this.maxKeys) {
      throw new KubeletError(`${this.entries.size} keys wait already`, { code: 'resource-exhausted' });
    }
    if (known !== undefined) this.byTime.remove(known);
    this.entries.set(key, this.byTime.add(dueAt, key));
    this.schedule();
  }

  /** Removes a key; false when it is not in the queue. */
  delete(key: K): boolean {
    const entry = this.entries.get(key);
    if (entry === undefined) return false;
    this.entries.delete(key);
    this.byTime.remove(entry);
    this.schedule();
    return true;
  }

  /** Calls `listener` with each key that becomes due; it must return quickly and never throw. Returns unsubscribe. */
  watch(listener: (key: K) => void): () => void {
    this.listeners.add(listener);
    this.schedule();
    return () => {
      this.listeners.delete(listener);
      this.schedule();
    };
  }

  /** Removes all keys and the timer. */
  clear(): void {
    for (const key of [...this.entries.keys()]) this.delete(key);
  }

  private schedule(): void {
    const dueAt = this.listeners.size === 0 ? undefined : this.byTime.peek()?.order;
    if (dueAt === this.timer?.dueAt) return;
    this.timer?.handle.cancel();
    this.timer = undefined;
    if (dueAt === undefined) return;
    const delayMs = Math.max(0, dueAt - this.options.clock.monotonic());
    this.timer = { dueAt, handle: this.options.clock.setTimer(delayMs, () => this.fire()) };
  }

  private fire(): void {
    this.timer = undefined;
    const now = this.options.clock.monotonic();
    const due: K[] = [];
    for (let head = this.byTime.peek(); head !== undefined && head.order <= now; head = this.byTime.peek()) {
      this.byTime.remove(head);
      this.entries.delete(head.value);
      due.push(head.value);
    }
    // Before the listeners run, because they may enqueue again. Also sets a timer again that fired too early.
    this.schedule();
    for (const key of due) for (const listener of [...this.listeners]) listener(key);
  }
}
