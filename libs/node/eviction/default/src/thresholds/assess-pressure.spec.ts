import { describe, expect, it } from '@jest/globals';
import { parseQuantity } from '@podwright/kube-types';
import type { Observation, Observations } from '../signals/observe-signals.js';
import type { Signal } from '../signals/signal.js';
import { assessPressure, newlyObserved, noPressure, type PressureState } from './assess-pressure.js';
import { thresholdKey, type Threshold } from './threshold.js';

const observation = (available: string, capacity = '8Gi', time?: string): Observation => ({
  available: parseQuantity(available),
  capacity: parseQuantity(capacity),
  time,
});
const threshold = (signal: Signal, quantity: string, gracePeriodMs = 0, minReclaim?: string): Threshold => ({
  signal,
  value: { quantity: parseQuantity(quantity) },
  gracePeriodMs,
  ...(minReclaim !== undefined && { minReclaim: { quantity: parseQuantity(minReclaim) } }),
});

/** The states after each `[atMs, observations]`. */
function run(
  thresholds: readonly Threshold[],
  steps: readonly (readonly [number, Observations])[],
  transitionPeriodMs = 300_000,
): readonly PressureState[] {
  let state = noPressure;
  return steps.map(([atMs, seen]) => (state = assessPressure(state, seen, { thresholds, transitionPeriodMs }, atMs)));
}

const memory = (available: string): Observations => ({ 'memory.available': observation(available) });

describe('pressure', () => {
  it('begins below the threshold, not at it', () => {
    const hard = threshold('memory.available', '1Gi');
    const states = run(
      [hard],
      [
        [0, memory('1Gi')],
        [1, memory('1073741823')],
        [2, {}],
      ],
    );
    expect(states.map(({ active }) => active.length)).toEqual([0, 1, 0]);
    expect(states.map(({ conditions }) => conditions)).toEqual([[], ['MemoryPressure'], ['MemoryPressure']]);
  });

  it('of a soft threshold shows at once and acts after its grace, in one piece', () => {
    const soft = threshold('memory.available', '1Gi', 20_000);
    const states = run(
      [soft],
      [
        [0, memory('0')],
        [10_000, memory('0')],
        [15_000, memory('2Gi')],
        [16_000, memory('0')],
        [30_000, memory('0')],
        [36_000, memory('0')],
      ],
    );
    expect(states.map(({ active }) => active.length)).toEqual([0, 0, 0, 0, 0, 1]);
    expect(states.map(({ conditions }) => conditions.length)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('lasts until the minimum reclaim is there, once it has acted', () => {
    const hard = threshold('memory.available', '1Gi', 0, '512Mi');
    const seen = ['1200Mi', '1000Mi', '1200Mi', '1535Mi', '1536Mi', '1200Mi'];
    const states = run(
      [hard],
      seen.map((available, index) => [index, memory(available)] as const),
    );
    expect(states.map(({ active }) => active.length)).toEqual([0, 1, 1, 1, 0, 0]);
  });

  it('shows for the transition period after it was last seen', () => {
    const states = run(
      [threshold('memory.available', '1Gi')],
      [
        [0, memory('0')],
        [10_000, memory('2Gi')],
        [309_999, memory('2Gi')],
        [310_000, memory('0')],
        [609_999, memory('2Gi')],
        [610_000, memory('2Gi')],
      ],
      300_000,
    );
    expect(states.map(({ conditions }) => conditions.length)).toEqual([1, 1, 0, 1, 1, 0]);
  });

  it('is dealt with memory first, then in the order of the signals, the shorter grace first', () => {
    const thresholds = [
      threshold('pid.available', '10'),
      threshold('nodefs.available', '1Gi'),
      threshold('memory.available', '2Gi', 1),
      threshold('memory.available', '1Gi'),
      threshold('allocatableMemory.available', '1Gi'),
    ];
    const none = observation('0');
    const seen: Observations = {
      'pid.available': none,
      'nodefs.available': none,
      'memory.available': none,
      'allocatableMemory.available': none,
    };
    const [, after] = run(thresholds, [
      [0, seen],
      [5, seen],
    ]);
    expect(after?.active.map(({ signal, gracePeriodMs }) => [signal, gracePeriodMs])).toEqual([
      ['memory.available', 0],
      ['memory.available', 1],
      ['allocatableMemory.available', 0],
      ['nodefs.available', 0],
      ['pid.available', 0],
    ]);
    expect(after?.conditions).toEqual(['MemoryPressure', 'DiskPressure', 'PIDPressure']);
  });

  it('tells thresholds of one signal apart by grace, amount and share', () => {
    const values = [{ quantity: parseQuantity('1') }, { quantity: parseQuantity('2') }, { share: 0.1 }, { share: 0.2 }];
    const keys = values.flatMap((value) =>
      [0, 1].map((gracePeriodMs) => thresholdKey({ signal: 'pid.available', value, gracePeriodMs })),
    );
    expect(new Set(keys).size).toBe(8);
  });

  it.each<[string, Observation | undefined, Observation | undefined, boolean]>([
    ['first seen', observation('0'), undefined, true],
    ['first seen, at a time', observation('0', '8Gi', '2026-01-01T00:00:00Z'), undefined, true],
    ['seen without a time before', observation('0', '8Gi', '2026-01-01T00:00:00Z'), observation('0'), true],
    ['without a time', observation('0'), observation('0', '8Gi', '2026-01-01T00:00:00Z'), true],
    ['newer', observation('0', '8Gi', '2026-01-01T00:00:01Z'), observation('0', '8Gi', '2026-01-01T00:00:00Z'), true],
    [
      'the same',
      observation('0', '8Gi', '2026-01-01T00:00:01Z'),
      observation('0', '8Gi', '2026-01-01T00:00:01Z'),
      false,
    ],
    ['older', observation('0', '8Gi', '2026-01-01T00:00:01Z'), observation('0', '8Gi', '2026-01-01T00:00:02Z'), false],
    ['not seen', undefined, observation('0'), false],
  ])('acts on numbers that are new: %s', (_name, now, last, expected) => {
    const of = (seen: Observation | undefined): Observations =>
      seen === undefined ? {} : { 'memory.available': seen };
    const acting = newlyObserved([threshold('memory.available', '1Gi')], of(now), of(last));
    expect(acting).toHaveLength(expected ? 1 : 0);
  });
});
