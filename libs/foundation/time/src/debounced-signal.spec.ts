import { describe, expect, it } from '@jest/globals';
import { DebouncedSignal } from './debounced-signal.js';
import { VirtualClock } from './virtual-clock.js';

describe('DebouncedSignal', () => {
  async function firedAt(touches: readonly number[]): Promise<readonly number[]> {
    const clock = new VirtualClock();
    const fired: number[] = [];
    const signal = new DebouncedSignal(clock, { quietMs: 15, mostMs: 40 }, () => fired.push(clock.monotonic()));
    for (const at of touches) {
      await clock.advance(at - clock.monotonic());
      signal.touch();
    }
    await clock.advance(1000);
    return fired;
  }

  it('fires once when a burst is over', async () => {
    expect(await firedAt([0, 10, 20])).toEqual([35]);
    expect(await firedAt([0, 100])).toEqual([15, 115]);
  });

  it('fires during a burst that does not end', async () => {
    expect(await firedAt([0, 10, 20, 30, 38, 50])).toEqual([40, 65]);
  });

  it('fires no more when it is cancelled', async () => {
    const clock = new VirtualClock();
    const signal = new DebouncedSignal(clock, { quietMs: 15, mostMs: 40 }, () => {
      throw new Error('not wanted any more');
    });
    signal.touch();
    signal.cancel();
    signal.cancel();
    await clock.advance(100);
    expect(clock.pendingTimers).toBe(0);
  });
});
