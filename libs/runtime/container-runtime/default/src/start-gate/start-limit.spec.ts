import { describe, expect, it } from '@jest/globals';
import { StartLimit, type StartLimitOptions } from './start-limit.js';

/** How long a start takes when so many run, itself included. Milliseconds. */
type Durations = (running: number) => number;

interface Burst {
  readonly limit: StartLimit;
  readonly pods: number;
  readonly durations: Durations;
  readonly fromMs?: number;
}

interface BurstResult {
  readonly endMs: number;
  /** Each number of places, in their order. */
  readonly places: readonly number[];
}

/** Starts all pods as soon as there are places for them. */
function burst({ limit, pods, durations, fromMs = 0 }: Burst): BurstResult {
  const running: number[] = [];
  const places = [limit.places];
  let waiting = pods;
  let nowMs = fromMs;
  for (let pod = 0; pod < pods; pod += 1) limit.startWanted(nowMs);
  for (;;) {
    for (; waiting > 0 && running.length < limit.places; waiting -= 1)
      running.push(nowMs + durations(running.length + 1));
    running.sort((left, right) => left - right);
    const endMs = running.shift();
    if (endMs === undefined) return { endMs: nowMs, places };
    nowMs = endMs;
    if (limit.startEnded(nowMs, waiting > 0)) places.push(limit.places);
  }
}

/** Two cores, 200 ms of them for each start. */
const busy: Durations = (running) => 200 * Math.max(1, running / 2);
/** A CNI plugin that waits two seconds. */
const waits: Durations = () => 2_000;
const limitOf = (more: Partial<StartLimitOptions> = {}): StartLimit => new StartLimit({ initial: 4, max: 32, ...more });

describe('the number of pods that start at once', () => {
  it('grows while starts only wait, up to its bound', () => {
    const { endMs, places } = burst({ limit: limitOf(), pods: 100, durations: waits });
    expect(places).toEqual([4, 8, 16, 32]);
    // 50 s with four places.
    expect(endMs).toBeLessThanOrEqual(16_000);
  });

  it('stays where it begins when starts use the processors, and trials become rare', () => {
    const { places } = burst({ limit: limitOf(), pods: 1_000, durations: busy });
    expect(new Set(places)).toEqual(new Set([4, 8]));
    expect(places.at(-1)).toBe(4);
    expect(places.length).toBeLessThanOrEqual(15);
  });

  it('is tried once in a burst of 100 pods that use the processors', () => {
    expect(burst({ limit: limitOf(), pods: 100, durations: busy }).places).toEqual([4, 8, 4]);
  });

  it('shrinks to half when starts disturb each other, and comes back when they no longer do', () => {
    const limit = limitOf();
    const disturbed: Durations = (running) => 50 * running * running;
    const first = burst({ limit, pods: 100, durations: disturbed });
    expect(Math.min(...first.places)).toBe(2);
    expect(limit.places).toBeLessThanOrEqual(4);
    burst({ limit, pods: 200, durations: busy, fromMs: first.endMs });
    expect(limit.places).toBe(4);
  });

  it('comes back from a high number when starts use the processors again', () => {
    const limit = limitOf();
    const { endMs } = burst({ limit, pods: 300, durations: waits });
    expect(limit.places).toBe(32);
    burst({ limit, pods: 1_000, durations: busy, fromMs: endMs });
    expect(limit.places).toBeLessThanOrEqual(8);
  });

  it('keeps what it found for the next burst, and forgets it after five minutes without a start', () => {
    const limit = limitOf();
    const { endMs } = burst({ limit, pods: 100, durations: waits });
    limit.startWanted(endMs + 300_000);
    expect(limit.places).toBe(32);
    limit.startWanted(endMs + 600_001);
    expect(limit.places).toBe(4);
  });

  it('never changes when no pod waits, or when both bounds are the same', () => {
    const limit = limitOf();
    for (let atMs = 0; atMs < 6_000; atMs += 100) expect(limit.startEnded(atMs, false)).toBe(false);
    expect(burst({ limit: limitOf({ initial: 4, max: 4 }), pods: 100, durations: waits })).toEqual({
      endMs: 50_000,
      places: [4],
    });
  });

  it('takes a number back when the pods are gone before its trial is over', () => {
    const limit = limitOf();
    const { places } = burst({ limit, pods: 18, durations: waits });
    expect(places).toEqual([4, 8, 4]);
  });
});
