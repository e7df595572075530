import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createMetricsRegistry } from '@podwright/metrics';
import type { ProbeOutcome } from '@podwright/probe-interface';
import { createSystemClock, VirtualClock, yieldToEventLoop } from '@podwright/time';
import { listenOnLoopback, loopbackTarget, type LoopbackServer } from '../fixtures/loopback.js';
import { AttemptTime } from './attempt-time.js';
import { createProbers } from './network-probers.js';
import { StallGuard } from './stall-guard.js';

/** Holds the event loop up, as a long computation would. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('AttemptTime', () => {
  it('is over after its limit, counted over several steps', async () => {
    const clock = new VirtualClock();
    const time = new AttemptTime(clock, 250);
    const over: number[] = [];
    time.start(() => over.push(1));
    await clock.advance(150);
    time.pause();
    await clock.advance(10_000);
    time.start(() => over.push(2));
    await clock.advance(99);
    expect([over, time.remainingMs]).toEqual([[], 100]); // the slice that runs is counted when it ends
    await clock.advance(1);
    await yieldToEventLoop();
    expect(over).toEqual([2]);
    expect(time.stalledMs).toBe(0);
  });

  it('does not go on after its end', async () => {
    const clock = new VirtualClock();
    const time = new AttemptTime(clock, 100);
    let over = false;
    time.start(() => (over = true));
    time.end();
    time.start(() => (over = true));
    await clock.advance(1_000);
    expect(over).toBe(false);
  });

  it('does not count what the loop stood still', async () => {
    const clock = createSystemClock();
    const time = new AttemptTime(clock, 200);
    const begunAt = clock.monotonic();
    const over = new Promise<number>((resolve) => time.start(() => resolve(clock.monotonic() - begunAt)));
    await yieldToEventLoop();
    block(400);
    expect(await over).toBeGreaterThan(450);
    expect(time.stalledMs).toBeGreaterThan(250);
  });
});

describe('StallGuard', () => {
  const failure: ProbeOutcome = { result: 'failure', output: 'late' };
  const { signal } = new AbortController();
  const guardWith = () => {
    const metrics = createMetricsRegistry();
    return { guard: new StallGuard(createSystemClock(), metrics), metrics };
  };
  /** An attempt during which the loop stands still. */
  const stalled = (outcome: ProbeOutcome) => (time: AttemptTime) =>
    new Promise<ProbeOutcome>((resolve) => {
      time.start(() => resolve(outcome));
      block(250);
    });

  it('throws a failure away that met a stall, and tries again', async () => {
    const { guard, metrics } = guardWith();
    let attempts = 0;
    const outcome = await guard.run(100, signal, (time) =>
      ++attempts === 1 ? stalled(failure)(time) : Promise.resolve({ result: 'success', output: '' }),
    );
    expect([outcome.result, attempts]).toEqual(['success', 2]);
    expect(await metrics.render()).toContain('podwright_probe_attempts_discarded_total 1');
  });

  it('learns nothing from three of them', async () => {
    const { guard } = guardWith();
    expect(await guard.run(100, signal, stalled(failure))).toEqual({ result: 'inconclusive' });
  });

  it('believes a success, and a failure without a stall', async () => {
    const { guard } = guardWith();
    const success: ProbeOutcome = { result: 'success', output: '' };
    expect(await guard.run(100, signal, stalled(success))).toBe(success);
    expect(await guard.run(100, signal, async () => failure)).toBe(failure);
  });
});

describe('a probe while the kubelet stands still', () => {
  let server: LoopbackServer;
  afterEach(() => server.close());

  it('is no failure, although its time limit has long passed', async () => {
    server = await listenOnLoopback(createServer((_request, response) => response.end('ok')));
    const { httpGet } = createProbers({
      runtime: { execSync: () => Promise.reject(new Error('not asked for')) },
      clock: createSystemClock(),
      metrics: createMetricsRegistry(),
    });
    const asked = httpGet.probe({ port: server.port }, loopbackTarget, 300, new AbortController().signal);
    block(700);
    expect(await asked).toEqual({ result: 'success', output: 'ok' });
  });
});
