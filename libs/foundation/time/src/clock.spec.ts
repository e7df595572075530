import { describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hasCode } from '@podwright/errors';
import { createSystemClock } from './system-clock.js';
import { VirtualClock } from './virtual-clock.js';

describe('VirtualClock', () => {
  it('runs timers in order of time and then of making, each at its own instant', async () => {
    const clock = new VirtualClock({ startMs: 1000 });
    const seen: string[] = [];
    const note = (name: string) => (): void => void seen.push(`${name}@${clock.monotonic()}`);
    clock.setTimer(20, note('c'));
    clock.setTimer(10, note('a'));
    clock.setTimer(10, note('b'));
    clock.setTimer(30, note('never')).cancel();
    clock.setTimer(41, note('late'));
    await clock.advance(40);
    expect(seen).toEqual(['a@10', 'b@10', 'c@20']);
    expect([clock.now(), clock.monotonic(), clock.pendingTimers]).toEqual([1040, 40, 1]);
  });

  it('runs timers of one instant by their rank', async () => {
    const ranks = [2, 1, 1];
    const clock = new VirtualClock({ rank: () => ranks.shift() ?? 0 });
    const seen: string[] = [];
    for (const name of ['a', 'b', 'c']) clock.setTimer(10, () => seen.push(name));
    clock.setTimer(5, () => seen.push('first'));
    await clock.advance(10);
    expect(seen).toEqual(['first', 'b', 'c', 'a']);
  });

  it('lets promises settle between two timers, however deep they chain', async () => {
    const clock = new VirtualClock();
    const seen: string[] = [];
    clock.setTimer(1, () => {
      void (async () => {
        for (let depth = 0; depth < 500; depth++) await Promise.resolve();
        await new Promise((resolve) => setImmediate(resolve));
        clock.setTimer(1, () => seen.push('chained'));
      })();
    });
    clock.setTimer(3, () => seen.push('later'));
    await clock.advance(3);
    expect(seen).toEqual(['chained', 'later']);
  });

  it('waits for file operations in flight before it goes on', async () => {
    const clock = new VirtualClock();
    const folder = await mkdtemp(path.join(tmpdir(), 'clock-'));
    let at = -1;
    clock.setTimer(1, () => {
      void stat(folder)
        .then(() => stat(folder))
        .then(() => (at = clock.monotonic()));
    });
    clock.setTimer(100, () => undefined);
    await clock.advance(100);
    expect(at).toBe(1);
    await rm(folder, { recursive: true });
  });

  it('runs until a condition holds, and says when it does not', async () => {
    const clock = new VirtualClock();
    let runs = 0;
    const stop = new AbortController();
    const loop = clock.every(10, () => void runs++, stop.signal);
    expect(await clock.runUntil(() => runs === 4, 1000)).toBe(30);
    const error: unknown = await clock.runUntil(() => false, 50).catch((thrown: unknown) => thrown);
    expect(hasCode(error, 'deadline-exceeded')).toBe(true);
    expect(clock.monotonic()).toBe(80);
    stop.abort();
    await loop;
    expect(clock.pendingTimers).toBe(0);
  });

  it('is advanced by one caller at a time and ends a loop without time', async () => {
    const clock = new VirtualClock({ settle: () => Promise.resolve() });
    const first = clock.advance(1);
    expect(hasCode(await clock.advance(1).catch((thrown: unknown) => thrown), 'failed-precondition')).toBe(true);
    await first;
    const again = (): void => void clock.setTimer(0, again);
    again();
    expect(hasCode(await clock.advance(1).catch((thrown: unknown) => thrown), 'resource-exhausted')).toBe(true);
  });

  it('moves the wall clock without touching timers', async () => {
    const clock = new VirtualClock();
    let fired = false;
    clock.setTimer(10, () => (fired = true));
    clock.setWallClock(5);
    expect(clock.now()).toBe(5);
    await clock.advance(9);
    expect([clock.now(), fired]).toEqual([14, false]);
  });
});

describe('waiting', () => {
  it('sleep ends with the reason of its signal and leaves no timer', async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const reason = new Error('stopping');
    const sleeping = clock.sleep(100, stop.signal).catch((thrown: unknown) => thrown);
    stop.abort(reason);
    expect(await sleeping).toBe(reason);
    await expect(clock.sleep(1, stop.signal)).rejects.toBe(reason);
    expect(clock.pendingTimers).toBe(0);
  });

  it('every waits after the end of a run and rejects when a run does', async () => {
    const clock = new VirtualClock();
    const starts: number[] = [];
    const running = clock
      .every(
        10,
        async () => {
          starts.push(clock.monotonic());
          if (starts.length === 3) throw new Error('third');
          await clock.sleep(5);
        },
        new AbortController().signal,
      )
      .catch((thrown: unknown) => (thrown as Error).message);
    await clock.advance(100);
    expect(starts).toEqual([0, 15, 30]);
    expect(await running).toBe('third');
  });

  it('deadline aborts by time or with its parent, and disposing frees it', async () => {
    const clock = new VirtualClock();
    const parent = new AbortController();
    const timed = clock.deadline(10);
    const linked = clock.deadline(1000, parent.signal);
    const disposed = clock.deadline(10, parent.signal);
    disposed.dispose();
    await clock.advance(10);
    expect(hasCode(timed.signal.reason, 'deadline-exceeded')).toBe(true);
    parent.abort('shutdown');
    expect(linked.signal.reason).toBe('shutdown');
    expect(disposed.signal.aborted).toBe(false);
    expect(clock.deadline(10, parent.signal).signal.aborted).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  it('hangs hundreds of waits on one signal without a warning', async () => {
    const warnings: unknown[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on('warning', listen);
    const clock = new VirtualClock();
    const stop = new AbortController();
    for (let i = 0; i < 50; i++) clock.deadline(10, stop.signal);
    await clock.advance(10);
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });
});

describe('system clock', () => {
  it('calls back, cancels, and refuses a delay that is no number', async () => {
    const clock = createSystemClock({ keepAlive: true });
    const before = clock.monotonic();
    let cancelled = true;
    clock.setTimer(1, () => (cancelled = false)).cancel();
    clock.setTimer(0, () => (cancelled = false)).cancel();
    await clock.sleep(5);
    await clock.sleep(0);
    // Node may fire up to a millisecond early by this clock.
    expect(clock.monotonic() - before).toBeGreaterThan(3.5);
    expect(cancelled).toBe(true);
    expect(() => clock.setTimer(Number.NaN, () => undefined)).toThrow('not a number');
  });

  it('does not fire a timer that is longer than Node can hold', async () => {
    const clock = createSystemClock({ keepAlive: true });
    let fired = false;
    const timers = [2 ** 31, 2 ** 40, Number.POSITIVE_INFINITY].map((ms) => clock.setTimer(ms, () => (fired = true)));
    await clock.sleep(5);
    for (const timer of timers) timer.cancel();
    expect(fired).toBe(false);
  });
});
