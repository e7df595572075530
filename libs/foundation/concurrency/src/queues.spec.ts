import { describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { VirtualClock } from '@podwright/time';
import { AsyncQueue } from './async-queue.js';
import { mapLimit } from './map-limit.js';
import { withDeadline } from './with-deadline.js';
import { WorkQueue } from './work-queue.js';

describe('WorkQueue', () => {
  it('gives each key once, at the earliest time asked for, with one timer', async () => {
    const clock = new VirtualClock();
    const queue = new WorkQueue<string>({ clock });
    const seen: string[] = [];
    const unwatch = queue.watch((key) => seen.push(`${key}@${clock.monotonic()}`));
    queue.enqueue('a', 100);
    queue.enqueue('b', 50);
    queue.enqueue('a', 20);
    queue.enqueue('a', 200);
    queue.enqueue('c', 60);
    expect([queue.size, clock.pendingTimers]).toEqual([3, 1]);
    expect([queue.delete('c'), queue.delete('c')]).toEqual([true, false]);
    await clock.advance(500);
    expect(seen).toEqual(['a@20', 'b@50']);
    unwatch();
    expect(clock.pendingTimers).toBe(0);
  });

  it('lets a listener enqueue the key it is told of', async () => {
    const clock = new VirtualClock();
    const queue = new WorkQueue<string>({ clock });
    let count = 0;
    queue.watch((key) => {
      if (++count < 3) queue.enqueue(key, 0);
    });
    queue.enqueue('a', 10);
    await clock.advance(10);
    expect([count, queue.size]).toEqual([3, 0]);
  });

  it('keeps due keys until somebody watches, and has a bound', async () => {
    const clock = new VirtualClock();
    const queue = new WorkQueue<string>({ clock, maxKeys: 1 });
    queue.enqueue('a', 10);
    expect(
      hasCode(
        caught(() => queue.enqueue('b', 1)),
        'resource-exhausted',
      ),
    ).toBe(true);
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(100);
    const seen: string[] = [];
    queue.watch((key) => seen.push(key));
    await clock.advance(0);
    expect(seen).toEqual(['a']);
    queue.enqueue('a', 10);
    queue.clear();
    expect([queue.size, clock.pendingTimers]).toEqual([0, 0]);
  });
});

describe('AsyncQueue', () => {
  it('hands values over in order and ends', async () => {
    const queue = new AsyncQueue<number>({ capacity: 2 });
    expect([queue.push(1), queue.push(2), queue.push(3)]).toEqual([true, true, false]);
    const seen: number[] = [];
    const reading = (async () => {
      for await (const value of queue) seen.push(value);
    })();
    await Promise.resolve();
    queue.push(4);
    queue.close();
    expect(queue.push(5)).toBe(false);
    await reading;
    expect(seen).toEqual([1, 2, 4]);
  });

  it('drops the oldest when told to, and fails its readers with the error of the end', async () => {
    const queue = new AsyncQueue<number>({ capacity: 1, whenFull: 'drop-oldest' });
    queue.push(1);
    queue.push(2);
    expect(await queue.next()).toEqual({ done: false, value: 2 });
    const waiting = queue.next().catch((error: unknown) => error);
    queue.close(new Error('stream broke'));
    expect(await waiting).toMatchObject({ message: 'stream broke' });
    await expect(queue.next()).rejects.toThrow('stream broke');
  });

  it('loses no value to a reader that gave up', async () => {
    const queue = new AsyncQueue<number>({ capacity: 1 });
    const stop = new AbortController();
    const waiting = queue.next(stop.signal).catch((error: unknown) => error);
    stop.abort(new Error('gone'));
    expect(await waiting).toEqual(new Error('gone'));
    queue.push(1);
    expect(await queue.next()).toEqual({ done: false, value: 1 });
  });
});

describe('withDeadline', () => {
  it('rejects in time although the task ignores its signal', async () => {
    const clock = new VirtualClock();
    const result = withDeadline(clock, 50, () => new Promise(() => undefined)).catch((error: unknown) => error);
    await clock.advance(50);
    expect(hasCode(await result, 'deadline-exceeded')).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  it('gives the result, and the reason of the parent', async () => {
    const clock = new VirtualClock();
    expect(await withDeadline(clock, 50, () => Promise.resolve(7))).toBe(7);
    const parent = new AbortController();
    const result = withDeadline(clock, 50, () => new Promise(() => undefined), parent.signal).catch(
      (error: unknown) => error,
    );
    parent.abort(new Error('shutdown'));
    expect(await result).toEqual(new Error('shutdown'));
    let began = false;
    await expect(withDeadline(clock, 50, async () => (began = true), parent.signal)).rejects.toThrow('shutdown');
    expect([began, clock.pendingTimers]).toEqual([false, 0]);
  });
});

describe('mapLimit', () => {
  it('keeps the order and the limit', async () => {
    const clock = new VirtualClock();
    let running = 0;
    let most = 0;
    const result = mapLimit([30, 10, 20, 5], 2, async (ms, index) => {
      most = Math.max(most, ++running);
      await clock.sleep(ms);
      running--;
      return `${index}:${ms}`;
    });
    await clock.advance(100);
    expect(await result).toEqual(['0:30', '1:10', '2:20', '3:5']);
    expect(most).toBe(2);
    expect(await mapLimit([], 3, () => Promise.resolve())).toEqual([]);
  });

  it('starts nothing after a failure, aborts the others and waits for them', async () => {
    const clock = new VirtualClock();
    const ended: number[] = [];
    const result = mapLimit([1, 2, 3], 2, async (item, _index, signal) => {
      if (item === 1) throw new Error('first');
      await clock.sleep(1000, signal).catch(() => undefined);
      ended.push(item);
    });
    await expect(result).rejects.toThrow('first');
    expect(ended).toEqual([2]);
    const stop = new AbortController();
    stop.abort(new Error('gone'));
    await expect(mapLimit([1], 1, () => Promise.resolve(), stop.signal)).rejects.toThrow('gone');
  });
});

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
