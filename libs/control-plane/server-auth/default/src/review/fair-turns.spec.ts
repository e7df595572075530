import { describe, expect, it } from '@jest/globals';
import { FairTurns } from './fair-turns.js';

const { signal } = new AbortController();

function setUp(options = { places: 1, maxWaiting: 4, preferred: 'p' }) {
  const turns = new FairTurns(options);
  const order: string[] = [];
  const leaves: (() => void)[] = [];
  const enter = async (name: string, by = signal): Promise<void> => {
    const leave = await turns.enter(name.slice(0, 1), by);
    order.push(leave === undefined ? `${name} refused` : name);
    if (leave !== undefined) leaves.push(leave);
  };
  const next = async (): Promise<void> => {
    leaves.shift()?.();
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  return { enter, next, order };
}

describe('FairTurns', () => {
  it('go round the sources, after those of the preferred one', async () => {
    const { enter, next, order } = setUp();
    const all = ['a1', 'a2', 'a3', 'b1', 'p1'].map((name) => enter(name));
    for (let turn = 0; turn < 5; turn++) await next();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'p1', 'a2', 'b1', 'a3']);
  });

  it('are refused to the newest of the source that has most', async () => {
    const { enter, next, order } = setUp();
    const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2', 'b3'].map((name) => enter(name));
    await next();
    // Both have two that wait: no place for a third.
    const refused = order.filter((line) => line.endsWith('refused'));
    expect(refused.sort()).toEqual(['a4 refused', 'a5 refused', 'a6 refused', 'b3 refused']);
    for (let turn = 0; turn < 5; turn++) await next();
    await Promise.all(all);
    expect(order.filter((line) => !line.endsWith('refused'))).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  });

  it('are not given to those who have left', async () => {
    const { enter, next, order } = setUp({ places: 1, maxWaiting: 1, preferred: 'p' });
    const leaving = new AbortController();
    const first = enter('a1');
    const left = enter('b1', leaving.signal);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await expect(enter('b2', leaving.signal)).rejects.toThrow('gone');
    const last = enter('c1');
    await next();
    await Promise.all([first, last]);
    expect(order).toEqual(['a1', 'c1']);
  });
});
