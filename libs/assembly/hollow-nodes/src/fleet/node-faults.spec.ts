import { describe, expect, it } from '@jest/globals';
import { createChoices } from '../behaviour/choices.js';
import { decodeBehaviour } from '../behaviour/decode-behaviour.js';
import { plannedFaults } from './node-faults.js';
import { podRanges } from './pod-ranges.js';

const rulesOf = (yaml: string) =>
  decodeBehaviour(`apiVersion: hollow.podwright.dev/v1alpha1\nkind: HollowBehaviour\nnodeFaults: ${yaml}`, 'b')
    .nodeFaults;
const planned = (yaml: string, node: string) => [...plannedFaults(rulesOf(yaml), node, createChoices(1))];

describe('planned faults', () => {
  it('count from the start and then from the end of the last one', () => {
    expect(planned('[{ fault: down, nodes: [n-*], after: 10s, lasts: 5s, times: 3 }]', 'n-1')).toEqual([
      { fault: 'down', atMs: 10_000, untilMs: 15_000 },
      { fault: 'down', atMs: 25_000, untilMs: 30_000 },
      { fault: 'down', atMs: 40_000, untilMs: 45_000 },
    ]);
  });

  it('are for the named nodes, or a share of them', () => {
    const share = '[{ fault: unreachable, share: 0.3, after: 1s..9s }]';
    const failing = Array.from({ length: 200 }, (_, index) => planned(share, `n-${index}`)).filter(
      ({ length }) => length,
    );
    expect(failing.length / 200).toBeCloseTo(0.3, 1);
    expect(planned('[{ fault: down, nodes: [m-*] }]', 'n-1')).toEqual([]);
  });

  it('may be as many as a file can say', () => {
    const rules = '[{ fault: down, after: 10s, lasts: 5s, times: 2147483647 }, { fault: unreachable, after: 1h }]';
    const plan = plannedFaults(rulesOf(rules), 'n-1', createChoices(1));
    const last = Array.from({ length: 240 }, () => plan.next().value).at(-1);
    expect(last).toEqual({ fault: 'down', atMs: 3_595_000, untilMs: 3_600_000 });
    expect(plan.next().value).toEqual({ fault: 'unreachable', atMs: 3_600_000, untilMs: undefined });
    expect(plan.next().done).toBe(true);
  });

  it('do not overlap, and none follows one that is for good', () => {
    const rules = '[{ fault: down, after: 10s, lasts: 20s }, { fault: unreachable, after: 15s, times: 5 }]';
    expect(planned(rules, 'n-1')).toEqual([{ fault: 'down', atMs: 10_000, untilMs: 30_000 }]);
    const forGood = '[{ fault: down, after: 10s }, { fault: unreachable, after: 1h, lasts: 1s }]';
    expect(planned(forGood, 'n-1')).toEqual([{ fault: 'down', atMs: 10_000, untilMs: undefined }]);
  });
});

describe('ranges of pod addresses', () => {
  it('are apart, and have room for twice the pods', () => {
    const range = podRanges(110);
    expect([range(0), range(1), range(1_000)]).toEqual(['10.64.0.0/24', '10.64.1.0/24', '10.67.232.0/24']);
    expect(podRanges(10)(1)).toBe('10.64.0.32/27');
  });
});
