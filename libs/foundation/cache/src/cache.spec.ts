import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { ExpiringCache } from './expiring-cache.js';
import { LruMap } from './lru-map.js';

describe('LruMap', () => {
  const abc = (): LruMap<number> => {
    const map = new LruMap<number>(3);
    for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index);
    return map;
  };

  it('forgets the entry unused for longest when it is full', () => {
    const map = abc();
    map.get('a');
    map.set('b', 7);
    map.set('d', 3);
    expect([...map]).toEqual([
      ['a', 0],
      ['b', 7],
      ['d', 3],
    ]);
    expect([map.size, map.get('c')]).toEqual([3, undefined]);
  });

  it('does not count iteration or a miss as a use, and keeps falsy values', () => {
    const map = abc();
    expect([...map].length).toBe(3);
    expect(map.get('x')).toBeUndefined();
    map.set('d', 3);
    expect([map.get('a'), map.get('b')]).toEqual([undefined, 1]);
    map.set('zero', 0);
    expect(map.get('zero')).toBe(0);
  });

  it('lets entries be deleted, on the way too', () => {
    const map = abc();
    map.delete('a');
    for (const [key] of map) map.delete(key);
    expect(map.size).toBe(0);
    map.set('a', 1);
    map.clear();
    expect(map.get('a')).toBeUndefined();
  });
});

describe('ExpiringCache', () => {
  it('gives an entry until its life is over, however often it is used', async () => {
    const clock = new VirtualClock();
    const cache = new ExpiringCache<string>(clock, 10);
    cache.set('a', 'x', 1_000);
    await clock.advance(999);
    expect(cache.get('a')).toBe('x');
    await clock.advance(1);
    expect([cache.get('a'), cache.size]).toEqual([undefined, 0]);
  });

  it('starts the life anew with each set, and keeps nothing without one', async () => {
    const clock = new VirtualClock();
    const cache = new ExpiringCache<string>(clock, 10);
    cache.set('a', 'x', 1_000);
    await clock.advance(600);
    cache.set('a', 'y', 1_000);
    await clock.advance(600);
    expect(cache.get('a')).toBe('y');
    cache.set('a', 'z', 0);
    cache.set('b', 'z', -1);
    expect([cache.get('a'), cache.get('b'), cache.size]).toEqual([undefined, undefined, 0]);
  });

  it('makes room as an LruMap does', () => {
    const cache = new ExpiringCache<number>(new VirtualClock(), 2);
    cache.set('a', 1, 1_000);
    cache.set('b', 2, 1_000);
    cache.get('a');
    cache.set('c', 3, 1_000);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  });

  it('deletes what has expired or is unwanted, and no more', async () => {
    const clock = new VirtualClock();
    const cache = new ExpiringCache<number>(clock, 10);
    for (const life of [1, 2, 3, 4]) cache.set(String(life), life, life);
    await clock.advance(2);
    cache.deleteExpired();
    expect(cache.size).toBe(2);
    cache.deleteWhere((value) => value === 3);
    expect([cache.get('3'), cache.get('4')]).toEqual([undefined, 4]);
    cache.clear();
    expect(cache.size).toBe(0);
  });
});
