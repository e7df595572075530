import { KubeletError } from '@podwright/errors';
import { OrderedQueue } from '@podwright/time';
import type { Clock, QueueEntry, Timer } from '@podwright/time';

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** Most keys waiting; a further one makes `enqueue` throw `resource-exhausted`. Default 10000. */
  readonly maxKeys?: number;
}

/**
 * Keys that come due later. A key is in the queue once, at the earliest time asked for. One timer serves the head, so
 * waiting keys cost no timers. Due keys wait until somebody watches.
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

  /** Makes the key due in `delayMs`. A key that waits already keeps the earlier of the two times. */
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

  /** False when the key does not wait. */
  delete(key: K): boolean {
    const entry = this.entries.get(key);
    if (entry === undefined) return false;
    this.entries.delete(key);
    this.byTime.remove(entry);
    this.schedule();
    return true;
  }

  /** Calls `listener` with each key as it comes due; it must only hand over, never throw. Returns unsubscribe. */
  watch(listener: (key: K) => void): () => void {
    this.listeners.add(listener);
    this.schedule();
    return () => {
      this.listeners.delete(listener);
      this.schedule();
    };
  }

  /** Forgets all keys; no timer is left. */
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
    // Before the listeners run: they may enqueue again. A timer that came early is simply set once more.
    this.schedule();
    for (const key of due) for (const listener of [...this.listeners]) listener(key);
  }
}
