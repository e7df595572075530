import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { SharedReading } from './shared-reading.js';

function harness() {
  const clock = new VirtualClock();
  const signals: AbortSignal[] = [];
  const ends: ((value: number | Error) => void)[] = [];
  const reading = new SharedReading<number>(clock, 10_000, (_maxAgeMs, signal) => {
    signals.push(signal);
    return new Promise((resolve, reject) => {
      ends.push((value) => (typeof value === 'number' ? resolve(value) : reject(value)));
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
  return { clock, reading, signals, ends };
}

describe('a shared reading', () => {
  it('gives one who wants it new the next one, and not the one that runs', async () => {
    const { clock, reading, ends } = harness();
    const first = reading.get(10_000);
    await clock.advance(5);
    const anew = [reading.get(0), reading.get(0)];
    const joining = reading.get(10_000);
    expect(ends).toHaveLength(1);
    ends[0]?.(1);
    expect([await first, await joining]).toEqual([1, 1]);
    await clock.advance(0);
    expect(ends).toHaveLength(2);
    ends[1]?.(2);
    expect(await Promise.all(anew)).toEqual([2, 2]);
    expect(await reading.get(10_000)).toBe(2);
  });

  it('does not hand the failure of an older reading on', async () => {
    const { clock, reading, ends } = harness();
    const first = reading.get(10_000);
    await clock.advance(5);
    const anew = reading.get(0);
    ends[0]?.(new Error('old'));
    await expect(first).rejects.toThrow('old');
    await clock.advance(0);
    ends[1]?.(2);
    expect(await anew).toBe(2);
  });

  it('is given up when nobody waits any more, and read again for the next', async () => {
    const { clock, reading, signals, ends } = harness();
    const leaving = new AbortController();
    const gone = reading.get(10_000, leaving.signal);
    leaving.abort(new Error('enough'));
    await expect(gone).rejects.toThrow('enough');
    expect(signals[0]?.aborted).toBe(true);
    const next = reading.get(10_000);
    await clock.advance(0);
    ends[1]?.(3);
    expect(await next).toBe(3);
  });

  it('ends with what runs when it is stopped', async () => {
    const { reading } = harness();
    const running = reading.get(10_000);
    const stopped = reading.stop();
    await expect(running).rejects.toThrow('stats are stopping');
    await stopped;
    await expect(reading.get(10_000)).rejects.toThrow('stats are stopped');
  });
});
