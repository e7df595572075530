import { beforeEach, describe, expect, it } from '@jest/globals';
import { BackOff } from './back-off.js';
import { VirtualClock } from './virtual-clock.js';

const second = 1000;

describe('BackOff', () => {
  let clock = new VirtualClock();
  let backOff = new BackOff({ clock, initialMs: 10 * second, maxMs: 300 * second });
  beforeEach(() => {
    clock = new VirtualClock();
    backOff = new BackOff({ clock, initialMs: 10 * second, maxMs: 300 * second });
  });

  it('doubles up to the maximum, per key', () => {
    const delays = Array.from({ length: 7 }, () => {
      backOff.next('a');
      return backOff.get('a') / second;
    });
    expect(delays).toEqual([10, 20, 40, 80, 160, 300, 300]);
    expect(backOff.get('b')).toBe(0);
  });

  it('measures from the event for containers, from the update for pulls', async () => {
    backOff.next('a');
    const finishedAt = clock.now() + 4 * second;
    await clock.advance(11 * second);
    expect(backOff.isInBackOffSince('a', finishedAt)).toBe(true);
    expect(backOff.isInBackOffSinceUpdate('a')).toBe(false);
    await clock.advance(3 * second);
    expect(backOff.isInBackOffSince('a', finishedAt)).toBe(false);
    expect(backOff.isInBackOffSince('unknown', finishedAt)).toBe(false);
  });

  it('does not wait for a wall clock that was set back by hours', () => {
    backOff.next('a');
    const finishedAt = clock.now();
    clock.setWallClock(finishedAt - 9 * second);
    expect([backOff.isInBackOffSince('a', finishedAt), backOff.isInBackOffSinceUpdate('a')]).toEqual([true, true]);
    clock.setWallClock(finishedAt - 3600 * second);
    expect([backOff.isInBackOffSince('a', finishedAt), backOff.isInBackOffSinceUpdate('a')]).toEqual([false, false]);
  });

  it('starts anew when the event came more than twice the maximum after the last update', async () => {
    for (let i = 0; i < 3; i++) backOff.next('a');
    await clock.advance(700 * second);
    // The container finished 600 s after the update: still the same row of crashes.
    backOff.next('a', clock.now() - 100 * second);
    expect(backOff.get('a')).toBe(80 * second);
    await clock.advance(700 * second);
    expect(backOff.isInBackOffSince('a', clock.now() - 99 * second)).toBe(false);
    backOff.next('a', clock.now() - 99 * second);
    expect(backOff.get('a')).toBe(10 * second);
  });

  it('forgets by reset, by gc and past its bound', async () => {
    backOff.next('a');
    backOff.next('b');
    backOff.reset('a');
    expect([backOff.get('a'), backOff.size]).toEqual([0, 1]);
    await clock.advance(600 * second);
    backOff.gc();
    expect(backOff.size).toBe(1);
    await clock.advance(1);
    backOff.gc();
    expect(backOff.size).toBe(0);

    const small = new BackOff({ clock, initialMs: 1, maxMs: 10, maxKeys: 2 });
    for (const key of ['a', 'b', 'a', 'c']) small.next(key);
    expect([small.get('a'), small.get('b'), small.get('c')]).toEqual([2, 0, 1]);
  });

  it('lets a smaller maximum win over the initial delay, and takes its own reset time', async () => {
    const short = new BackOff({ clock, initialMs: 10 * second, maxMs: second, resetAfterMs: 600 * second });
    short.next('a');
    expect(short.get('a')).toBe(second);
    await clock.advance(500 * second);
    expect(short.updatedAt('a')).toBe(clock.now() - 500 * second);
    short.gc();
    expect(short.size).toBe(1);
  });

  it('can be taken up by another process, as far as it still holds', async () => {
    backOff.next('a');
    backOff.next('a');
    const state = backOff.state('a');
    expect(state).toEqual({ delayMs: 20 * second, updatedAtMs: clock.now() });
    expect(backOff.state('b')).toBeUndefined();
    const next = new BackOff({ clock, initialMs: 10 * second, maxMs: 15 * second });
    next.restore('a', { delayMs: 20 * second, updatedAtMs: clock.now() });
    expect(next.get('a')).toBe(15 * second);
    next.restore('a', { delayMs: second, updatedAtMs: clock.now() });
    expect(next.get('a')).toBe(15 * second);
    await clock.advance(31 * second);
    next.restore('b', { delayMs: 10 * second, updatedAtMs: clock.now() - 31 * second });
    expect(next.get('b')).toBe(0);
  });
});
