/** A value in an {@link OrderedQueue}; pass it to `remove`. */
export interface QueueEntry<T> {
  readonly order: number;
  readonly value: T;
}

interface Slot<T> extends QueueEntry<T> {
  readonly rank: number;
  readonly sequence: number;
  /** Index in the heap, -1 once the slot has left it. */
  index: number;
}

/**
 * A queue with the smallest `order` first, among equal ones the smallest `rank`, and then first in, first out. It is an indexed binary heap: `add`,
 * `take` and `remove` cost O(log n), so a cancelled timer can be removed at once. Neither number may be NaN.
 */
export class OrderedQueue<T> {
  private readonly heap: Slot<T>[] = [];
  private nextSequence = 0;

  get size(): number {
    return this.heap.length;
  }

  add(order: number, value: T, rank = 0): QueueEntry<T> {
    const slot: Slot<T> = { order, rank, value, sequence: this.nextSequence++, index: this.heap.length };
    this.heap.push(slot);
    this.siftUp(slot);
    return slot;
  }

  peek(): QueueEntry<T> | undefined {
    return this.heap[0];
  }

  take(): QueueEntry<T> | undefined {
    const first = this.heap[0];
    if (first !== undefined) this.remove(first);
    return first;
  }

  /** Removes the entry; false when it was no longer in the queue. */
  remove(entry: QueueEntry<T>): boolean {
    const slot = entry as Slot<T>;
    if (this.heap[slot.index] !== slot) return false;
    const last = this.heap.pop() as Slot<T>;
    if (last !== slot) {
      this.place(last, slot.index);
      this.siftUp(last);
      this.siftDown(last);
    }
    slot.index = -1;
    return true;
  }

  private siftUp(slot: Slot<T>): void {
    while (slot.index > 0) {
      const parent = this.heap[(slot.index - 1) >> 1] as Slot<T>;
      if (!before(slot, parent)) return;
      this.swap(slot, parent);
    }
  }

  private siftDown(slot: Slot<T>): void {
    for (;;) {
      const left = this.heap[2 * slot.index + 1];
      if (left === undefined) return;
      const right = this.heap[2 * slot.index + 2];
      const child = right !== undefined && before(right, left) ? right : left;
      if (!before(child, slot)) return;
      this.swap(child, slot);
    }
  }

  private swap(a: Slot<T>, b: Slot<T>): void {
    const index = a.index;
    this.place(a, b.index);
    this.place(b, index);
  }

  private place(slot: Slot<T>, index: number): void {
    this.heap[index] = slot;
    slot.index = index;
  }
}

function before(a: Slot<unknown>, b: Slot<unknown>): boolean {
  if (a.order !== b.order) return a.order < b.order;
  return a.rank === b.rank ? a.sequence < b.sequence : a.rank < b.rank;
}
