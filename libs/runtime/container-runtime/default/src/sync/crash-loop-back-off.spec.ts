import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { createFakePodCheckpoints } from '../fixtures/fake-pod-checkpoints.js';
import { container, podWith, record, statusWith } from '../fixtures/records.js';
import { CrashLoopBackOff } from './crash-loop-back-off.js';
import { RestartCheckpoints } from './restart-checkpoints.js';

function setUp(
  options = { containerRestartBackOffInitialMs: 10_000, containerRestartBackOffMaxMs: 300_000 },
  { clock, checkpoints } = { clock: new VirtualClock(), checkpoints: createFakePodCheckpoints() },
) {
  const events: string[] = [];
  const recorder = {
    event: (_: unknown, type: string, reason: string, message: string): void =>
      void events.push(`${type} ${reason} ${message}`),
  };
  const backOff = new CrashLoopBackOff(clock, recorder, new RestartCheckpoints(checkpoints), options);
  const finishedAt = (ms: number): bigint => BigInt(ms) * 1_000_000n;
  const check = (ms: number, more = {}): ReturnType<CrashLoopBackOff['check']> =>
    backOff.check(
      podWith(),
      container('app', more),
      statusWith([record('app', 'created'), record('app', 'exited', { finishedAt: finishedAt(ms) })]),
    );
  return { clock, checkpoints, events, backOff, check };
}

describe('crash-loop back-off', () => {
  it('restarts at once the first time, then waits 10 s from the end of the container, doubling to 300 s', async () => {
    const { clock, events, check } = setUp();
    const delays: number[] = [];
    expect(await check(clock.now())).toBeUndefined();
    for (let crash = 0; crash < 7; crash++) {
      const crashedAt = clock.now();
      const wait = await check(crashedAt);
      delays.push(((wait?.untilMs ?? 0) - crashedAt) / 1000);
      await clock.advance((wait?.untilMs ?? 0) - crashedAt - 1);
      expect(await check(crashedAt)).toBeDefined();
      await clock.advance(1);
      expect(await check(crashedAt)).toBeUndefined();
    }
    expect(delays).toEqual([10, 20, 40, 80, 160, 300, 300]);
    expect(events[0]).toBe('Warning BackOff Back-off restarting failed container app in pod web_default(uid-1)');
  });

  it('goes on for a container whose resources come in another order, as from a checkpoint', async () => {
    const { clock, check } = setUp();
    const [requests, limits] = [{ cpu: '1', memory: '1Gi' }, { memory: '2Gi' }];
    await check(clock.now(), { resources: { requests, limits } });
    const reordered = { limits, requests: { memory: requests.memory, cpu: requests.cpu } };
    expect(await check(clock.now(), { resources: reordered })).toBeDefined();
  });

  it('says how long in Go’s notation', async () => {
    const { clock, check } = setUp();
    await check(clock.now());
    expect((await check(clock.now()))?.message).toBe(
      'back-off 10s restarting failed container=app pod=web_default(uid-1)',
    );
    for (const seconds of [10, 20, 40]) {
      await clock.advance(seconds * 1000);
      await check(clock.now() - seconds * 1000);
    }
    expect((await check(clock.now()))?.message).toBe(
      'back-off 1m20s restarting failed container=app pod=web_default(uid-1)',
    );
  });

  it('starts anew when the container ran for more than ten minutes, or its image or resources changed', async () => {
    const { clock, check } = setUp();
    await check(clock.now());
    expect(await check(clock.now(), { image: 'other' })).toBeUndefined();
    expect(await check(clock.now(), { resources: { limits: { cpu: '1' } } })).toBeUndefined();
    await clock.advance(600_001);
    expect(await check(clock.now())).toBeUndefined();
    expect((await check(clock.now()))?.untilMs).toBe(clock.now() + 10_000);
  });

  it('lowers the first delay to the maximum, counts nothing without an exited record', async () => {
    const { clock, backOff, check } = setUp({
      containerRestartBackOffInitialMs: 10_000,
      containerRestartBackOffMaxMs: 1_000,
    });
    await check(clock.now());
    expect((await check(clock.now()))?.untilMs).toBe(clock.now() + 1_000);
    expect(await backOff.check(podWith(), container('app'), statusWith([record('app', 'unknown')]))).toBeUndefined();
  });

  describe('over a kill -9', () => {
    it('goes on where it was, told before the container is started', async () => {
      const first = setUp();
      await first.check(first.clock.now());
      await first.clock.advance(10_000);
      await first.check(first.clock.now() - 10_000);
      const second = setUp(undefined, first);
      const wait = await second.check(second.clock.now());
      expect(wait?.message).toBe('back-off 20s restarting failed container=app pod=web_default(uid-1)');
      await second.clock.advance(20_000);
      await second.check(second.clock.now() - 20_000);
      const third = setUp(undefined, second);
      expect((await third.check(third.clock.now()))?.untilMs).toBe(third.clock.now() + 40_000);
    });

    it.each([
      ['after ten minutes it starts anew', 600_001, 10_000, undefined],
      ['a maximum that was lowered meanwhile holds', 0, 1_000, 1_000],
    ])('%s', async (_, passMs, initialMs, delayMs) => {
      const first = setUp();
      for (let crash = 0; crash < 3; crash++) {
        await first.clock.advance(300_000);
        await first.check(first.clock.now() - 300_000);
      }
      await first.clock.advance(passMs);
      const options = { containerRestartBackOffInitialMs: initialMs, containerRestartBackOffMaxMs: initialMs };
      const second = setUp(options, first);
      const wait = await second.check(second.clock.now());
      expect(wait?.untilMs).toBe(delayMs === undefined ? undefined : second.clock.now() + delayMs);
    });

    it('takes what it cannot read for nothing', async () => {
      const first = setUp();
      first.checkpoints.parts.set('uid-1/container-runtime.restarts', '[["x"],[1,{}],["k",{"delayMs":"1"}],null]');
      expect(await first.check(first.clock.now())).toBeUndefined();
    });

    it('keeps no more than the back-off does', async () => {
      const { check, clock, checkpoints } = setUp();
      const checkpointed = (): number =>
        (JSON.parse(checkpoints.parts.get('uid-1/container-runtime.restarts') ?? '[]') as unknown[]).length;
      await check(clock.now(), { image: 'a' });
      await check(clock.now(), { image: 'b' });
      expect(checkpointed()).toBe(2);
      await clock.advance(600_001);
      const later = setUp(undefined, { clock, checkpoints });
      await later.check(clock.now(), { image: 'c' });
      expect(checkpointed()).toBe(1);
    });
  });
});
