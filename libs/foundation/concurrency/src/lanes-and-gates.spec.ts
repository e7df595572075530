import { describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { VirtualClock } from '@podwright/time';
import { Gate } from './gate.js';
import { KeyedLanes } from './keyed-lanes.js';
import { Mutex, serialize } from './serialize.js';

interface Call {
  readonly key: string;
  readonly value: number;
  readonly finish: (error?: Error) => void;
  readonly signal: AbortSignal;
}

function lanes(options: { merge?: (a: number, b: number) => number; maxLanes?: number } = {}): {
  lanes: KeyedLanes<string, number>;
  calls: Call[];
  errors: string[];
} {
  const calls: Call[] = [];
  const errors: string[] = [];
  const made = new KeyedLanes<string, number>({
    run: (key, value, signal) =>
      new Promise((resolve, reject) => {
        calls.push({ key, value, signal, finish: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
    onError: (key, error) => errors.push(`${key}: ${(error as Error).message}`),
    ...options,
  });
  return { lanes: made, calls, errors };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('KeyedLanes', () => {
  it('runs one at a time per key, and only the newest pending value', async () => {
    const { lanes: pods, calls } = lanes();
    pods.submit('a', 1);
    pods.submit('b', 1);
    expect(calls).toEqual([]); // The caller is not re-entered.
    await turn();
    for (const value of [2, 3, 4]) pods.submit('a', value);
    calls[0]?.finish();
    await turn();
    expect(calls.map(({ key, value }) => `${key}${value}`)).toEqual(['a1', 'b1', 'a4']);
    calls[2]?.finish();
    await turn();
    expect([pods.size, pods.isBusy('a'), pods.isBusy('b')]).toEqual([1, false, true]);
    calls[1]?.finish();
    await pods.whenIdle();
    expect(pods.size).toBe(0);
  });

  it('merges pending values when told how, and can take them back', async () => {
    const { lanes: sums, calls } = lanes({ merge: (a, b) => a + b });
    sums.submit('a', 1);
    await turn();
    for (const value of [2, 3]) sums.submit('a', value);
    calls[0]?.finish();
    await turn();
    expect(calls[1]?.value).toBe(5);
    sums.submit('a', 9);
    expect([sums.cancelPending('a'), sums.cancelPending('a'), sums.cancelPending('x')]).toEqual([true, false, false]);
    calls[1]?.finish();
    await sums.whenIdle('a');
    expect(calls.length).toBe(2);
  });

  it('goes on after a failed run', async () => {
    const { lanes: pods, calls, errors } = lanes();
    pods.submit('a', 1);
    await turn();
    pods.submit('a', 2);
    calls[0]?.finish(new Error('broken'));
    await turn();
    expect(errors).toEqual(['a: broken']);
    expect(calls[1]?.value).toBe(2);
  });

  it('has a bound and stops', async () => {
    const { lanes: pods, calls } = lanes({ maxLanes: 1 });
    pods.submit('a', 1);
    expect(
      hasCode(
        caught(() => pods.submit('b', 1)),
        'resource-exhausted',
      ),
    ).toBe(true);
    await turn();
    pods.submit('a', 2);
    let stopped = false;
    const stopping = pods.stop().then(() => (stopped = true));
    await turn();
    expect([calls[0]?.signal.aborted, stopped]).toEqual([true, false]);
    calls[0]?.finish();
    await stopping;
    pods.submit('a', 3);
    await turn();
    expect([calls.length, pods.size]).toEqual([1, 0]);
  });
});

describe('Gate', () => {
  it('lets in a bounded number, higher priority first and equal ones in order', async () => {
    const gate = new Gate({ places: 1 });
    const leave = await gate.enter();
    const order: string[] = [];
    const runs = [
      gate.run(() => order.push('low1')),
      gate.run(() => order.push('high'), { priority: 5 }),
      gate.run(() => order.push('low2')),
    ];
    expect(gate.stats()).toEqual({ places: 1, running: 1, waiting: 3 });
    leave();
    leave();
    await Promise.all(runs);
    expect(order).toEqual(['high', 'low1', 'low2']);
    expect(gate.stats()).toEqual({ places: 1, running: 0, waiting: 0 });
  });

  it('never has more inside than places, through failures and resizing', async () => {
    const clock = new VirtualClock();
    const gate = new Gate({ places: 3 });
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await clock.sleep(10);
      inside--;
      throw new Error('each fails');
    };
    const all = Promise.allSettled(Array.from({ length: 20 }, () => gate.run(work)));
    await clock.advance(15);
    expect(most).toBe(3);
    most = 0;
    gate.resize(1);
    await clock.advance(30);
    expect(gate.stats().running).toBe(1);
    gate.resize(5);
    await clock.runUntil(() => gate.stats().running === 0 && gate.stats().waiting === 0, 1000);
    expect(most).toBe(5);
    expect((await all).every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('forgets a waiter that is aborted and refuses one too many', async () => {
    const gate = new Gate({ places: 1, maxWaiting: 1 });
    const leave = await gate.enter();
    const stop = new AbortController();
    const waiting = gate.run(() => 'never', { signal: stop.signal }).catch((error: unknown) => error);
    expect(hasCode(await gate.enter().catch((error: unknown) => error), 'resource-exhausted')).toBe(true);
    stop.abort(new Error('gone'));
    expect(await waiting).toEqual(new Error('gone'));
    expect(gate.stats().waiting).toBe(0);
    leave();
    expect(await gate.run(() => 'next')).toBe('next');
    await expect(gate.enter({ signal: stop.signal })).rejects.toThrow('gone');
    expect(
      hasCode(
        caught(() => gate.resize(0)),
        'invalid-argument',
      ),
    ).toBe(true);
  });
});

describe('serialize and Mutex', () => {
  it('run calls one after another and survive a failure', async () => {
    const log: string[] = [];
    const write = serialize(async (name: string) => {
      log.push(`begin ${name}`);
      await turn();
      log.push(`end ${name}`);
      if (name === 'a') throw new Error('full');
      return name;
    });
    const [first, second] = await Promise.allSettled([write('a'), write('b')]);
    expect([first?.status, second]).toEqual(['rejected', { status: 'fulfilled', value: 'b' }]);
    expect(log).toEqual(['begin a', 'end a', 'begin b', 'end b']);
    const mutex = new Mutex();
    const running = mutex.run(turn);
    expect(mutex.locked).toBe(true);
    await running;
    expect(mutex.locked).toBe(false);
  });
});

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
