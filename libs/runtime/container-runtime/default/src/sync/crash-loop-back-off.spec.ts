import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { container, podWith, record, statusWith } from '../fixtures/records.js';
import { CrashLoopBackOff } from './crash-loop-back-off.js';

function setUp(options = { containerRestartBackOffInitialMs: 10_000, containerRestartBackOffMaxMs: 300_000 }) {
  const clock = new VirtualClock();
  const events: string[] = [];
  const recorder = {
    event: (_: unknown, type: string, reason: string, message: string): void =>
      void events.push(`${type} ${reason} ${message}`),
  };
  const backOff = new CrashLoopBackOff(clock, recorder, options);
  const finishedAt = (ms: number): bigint => BigInt(ms) * 1_000_000n;
  const check = (ms: number, more = {}): ReturnType<CrashLoopBackOff['check']> =>
    backOff.check(
      podWith(),
      container('app', more),
      statusWith([record('app', 'created'), record('app', 'exited', { finishedAt: finishedAt(ms) })]),
    );
  return { clock, events, backOff, check };
}

describe('crash-loop back-off', () => {
  it('restarts at once the first time, then waits 10 s from the end of the container, doubling to 300 s', async () => {
    const { clock, events, check } = setUp();
    const delays: number[] = [];
    expect(check(clock.now())).toBeUndefined();
    for (let crash = 0; crash < 7; crash++) {
      const crashedAt = clock.now();
      const wait = check(crashedAt);
      delays.push(((wait?.untilMs ?? 0) - crashedAt) / 1000);
      await clock.advance((wait?.untilMs ?? 0) - crashedAt - 1);
      expect(check(crashedAt)).toBeDefined();
      await clock.advance(1);
      expect(check(crashedAt)).toBeUndefined();
    }
    expect(delays).toEqual([10, 20, 40, 80, 160, 300, 300]);
    expect(events[0]).toBe('Warning BackOff Back-off restarting failed container app in pod web_default(uid-1)');
  });

  it('says how long in Go’s notation', async () => {
    const { clock, check } = setUp();
    check(clock.now());
    expect(check(clock.now())?.message).toBe('back-off 10s restarting failed container=app pod=web_default(uid-1)');
    for (const seconds of [10, 20, 40]) {
      await clock.advance(seconds * 1000);
      check(clock.now() - seconds * 1000);
    }
    expect(check(clock.now())?.message).toBe('back-off 1m20s restarting failed container=app pod=web_default(uid-1)');
  });

  it('starts anew when the container ran for more than ten minutes, or its image or resources changed', async () => {
    const { clock, check } = setUp();
    check(clock.now());
    expect(check(clock.now(), { image: 'other' })).toBeUndefined();
    expect(check(clock.now(), { resources: { limits: { cpu: '1' } } })).toBeUndefined();
    await clock.advance(600_001);
    expect(check(clock.now())).toBeUndefined();
    expect(check(clock.now())?.untilMs).toBe(clock.now() + 10_000);
  });

  it('lowers the first delay to the maximum, counts nothing without an exited record', () => {
    const { clock, backOff, check } = setUp({
      containerRestartBackOffInitialMs: 10_000,
      containerRestartBackOffMaxMs: 1_000,
    });
    check(clock.now());
    expect(check(clock.now())?.untilMs).toBe(clock.now() + 1_000);
    expect(backOff.check(podWith(), container('app'), statusWith([record('app', 'unknown')]))).toBeUndefined();
  });
});
