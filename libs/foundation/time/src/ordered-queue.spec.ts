import { describe, expect, it } from '@jest/globals';
import { OrderedQueue } from './ordered-queue.js';
import { createSeededRandom } from './seeded-random.js';

describe('OrderedQueue', () => {
  it('agrees with a sorted list under random use', () => {
    const random = createSeededRandom('queue');
    const queue = new OrderedQueue<number>();
    const kept: { order: number; rank: number; id: number; entry: ReturnType<typeof queue.add> }[] = [];
    for (let id = 0; id < 2000; id++) {
      const order = Math.floor(random.next() * 50);
      const rank = Math.floor(random.next() * 3);
      kept.push({ order, rank, id, entry: queue.add(order, id, rank) });
      if (random.next() < 0.3) {
        const [gone] = kept.splice(Math.floor(random.next() * kept.length), 1);
        expect(queue.remove(gone!.entry)).toBe(true);
        expect(queue.remove(gone!.entry)).toBe(false);
      }
    }
    const expected = kept.sort((a, b) => a.order - b.order || a.rank - b.rank || a.id - b.id).map(({ id }) => id);
    const taken: number[] = [];
    for (let head = queue.take(); head !== undefined; head = queue.take()) taken.push(head.value);
    expect(taken).toEqual(expected);
    expect([queue.size, queue.peek()]).toEqual([0, undefined]);
  });
});
