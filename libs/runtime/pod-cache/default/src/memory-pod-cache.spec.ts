import { describe, expect, it } from '@jest/globals';
import { describePodCacheContract } from '@podwright/pod-cache-interface/contract';
import { createMemoryPodCache } from './memory-pod-cache.module.js';

describePodCacheContract('MemoryPodCache', () => {
  const cache = createMemoryPodCache();
  return { cache, writer: cache };
});

describe('MemoryPodCache', () => {
  it('wakes each waiter of a pod at its own time', async () => {
    const cache = createMemoryPodCache();
    const order: string[] = [];
    const wait = (name: string, minTimeMs: number): Promise<unknown> =>
      cache.getNewerThan('p', minTimeMs, new AbortController().signal).then(() => order.push(name));
    const both = Promise.all([wait('late', 20), wait('early', 10)]);
    cache.advance(15);
    cache.advance(25);
    await both;
    expect(order).toEqual(['early', 'late']);
  });

  it('keeps a pod held back through several rounds at its first age', async () => {
    const cache = createMemoryPodCache();
    cache.advance(10);
    for (const timeMs of [20, 30, 40]) cache.advance(timeMs, new Set(['p']));
    await expect(cache.getNewerThan('p', 10, AbortSignal.abort(new Error('not fresh')))).rejects.toThrow('not fresh');
    await expect(cache.getNewerThan('p', 9, new AbortController().signal)).resolves.toMatchObject({ uid: 'p' });
  });
});
