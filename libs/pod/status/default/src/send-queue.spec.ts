import { describe, expect, it } from '@jest/globals';
import { SendQueue } from './send-queue.js';

describe('SendQueue', () => {
  it('gives urgent ones first, each class in order of arrival, each once', () => {
    const queue = new SendQueue();
    for (const [uid, urgent] of [
      ['a', false],
      ['b', true],
      ['c', false],
      ['a', false],
      ['c', true],
      ['b', false],
    ] as const)
      queue.add(uid, urgent);
    expect([queue.take(), queue.take(), queue.take(), queue.take()]).toEqual(['b', 'c', 'a', undefined]);
    expect(queue.running).toBe(3);
    expect(['a', 'b', 'c', 'd'].map((uid) => queue.isRunning(uid))).toEqual([true, true, true, false]);
    for (const uid of ['a', 'b', 'c']) queue.finish(uid);
    expect([queue.take(), queue.running]).toEqual([undefined, 0]);
  });

  it('holds a pod back while its status is on its way', () => {
    const queue = new SendQueue();
    queue.add('a', true);
    expect(queue.take()).toBe('a');
    queue.add('a', true);
    queue.add('b', false);
    expect([queue.take(), queue.take()]).toEqual(['b', undefined]);
    queue.finish('a');
    expect(queue.take()).toBe('a');
  });

  it('forgets what waits', () => {
    const queue = new SendQueue();
    queue.add('a', true);
    queue.add('b', false);
    queue.clear();
    expect(queue.take()).toBeUndefined();
  });
});
