import { describe, expect, it } from '@jest/globals';
import type { PodCondition, PodStatus } from '@podwright/kube-types';
import { mergeStatus } from './merge-status.js';

const before = '2026-01-01T00:00:00Z';
const now = '2026-01-01T00:01:00Z';
const condition = (type: string, status = 'True', part: Partial<PodCondition> = {}): PodCondition => ({
  type,
  status,
  lastTransitionTime: before,
  ...part,
});
const merge = (shown: PodStatus, next: PodStatus, couldHaveRunningContainers = false): PodStatus =>
  mergeStatus(shown, next, { couldHaveRunningContainers, now });
const types = (status: PodStatus) => status.conditions?.map(({ type }) => type);

describe('merge with the API object', () => {
  it("lists the API's foreign conditions first, then the kubelet's in its order", () => {
    const shown = { conditions: [condition('Ready'), condition('x/a'), condition('PodScheduled'), condition('x/b')] };
    const next = {
      phase: 'Running',
      conditions: [condition('x/c'), condition('Initialized'), condition('Ready', 'False')],
    };
    const merged = merge(shown, next);
    expect(types(merged)).toEqual(['x/a', 'x/b', 'Initialized', 'Ready']);
    expect(merged.conditions?.at(-1)?.status).toBe('False');
  });

  it('leaves conditions alone whose gate is off', () => {
    const shown = {
      conditions: [condition('PodReadyToStartContainers', 'False'), condition('AllContainersRestarting')],
    };
    const next = { phase: 'Running', conditions: [condition('PodReadyToStartContainers'), condition('Ready')] };
    const merged = (on: boolean): PodStatus => {
      const gates = { readyToStartCondition: on, restartAllContainers: on };
      return mergeStatus(shown, next, { couldHaveRunningContainers: true, now, gates });
    };
    expect(merged(false).conditions).toEqual([...shown.conditions, condition('Ready')]);
    expect(merged(true).conditions).toEqual(next.conditions);
  });

  describe('DisruptionTarget', () => {
    const disruption = condition('DisruptionTarget', 'True', { reason: 'TerminationByKubelet' });
    const failed = { phase: 'Failed', conditions: [disruption, condition('Initialized')] };

    it.each<[string, PodStatus, PodStatus, boolean, boolean]>([
      ['with the terminal phase', { phase: 'Running' }, failed, false, true],
      ['not while containers may run', { phase: 'Running' }, failed, true, false],
      ['not without a terminal phase', { phase: 'Running' }, { ...failed, phase: 'Running' }, false, false],
      ['not when the API shows a terminal phase already', { phase: 'Failed' }, failed, false, false],
    ])('%s', (_name, shown, next, running, expected) => {
      expect(types(merge(shown, next, running))?.includes('DisruptionTarget')).toBe(expected);
    });

    it('gets the time at which it is shown', () => {
      expect(merge({ phase: 'Running' }, failed).conditions?.at(-1)).toEqual({
        ...disruption,
        lastTransitionTime: now,
      });
    });

    it('takes the place of the one that somebody else has set, and its time', () => {
      const theirs = condition('DisruptionTarget', 'True', { reason: 'EvictionByEvictionAPI' });
      const merged = merge({ phase: 'Running', conditions: [theirs, condition('x/a')] }, failed);
      expect(merged.conditions?.slice(0, 2)).toEqual([disruption, condition('x/a')]);
    });

    it.each([
      ['keeps no time of another value', { status: 'False' }],
      ['is stamped when it has none', { lastTransitionTime: undefined as never }],
    ])('in the place of the one that somebody else has set %s', (_name, part) => {
      const theirs = condition('DisruptionTarget', 'True', part);
      const merged = merge({ phase: 'Running', conditions: [condition('x/a'), theirs] }, failed);
      expect(merged.conditions?.slice(0, 2)).toEqual([condition('x/a'), { ...disruption, lastTransitionTime: now }]);
    });
  });

  describe('terminal phase', () => {
    const shown = { phase: 'Running', reason: 'r', message: 'm' };
    const next = { phase: 'Failed', reason: 'Evicted', message: 'full' };

    it('waits until no container can run', () => {
      expect(merge(shown, next, true)).toMatchObject(shown);
      expect(merge(shown, next, false)).toMatchObject(next);
    });

    it('goes with what is shown when nothing is', () => {
      expect(merge({}, next, true)).toStrictEqual({ conditions: [] });
    });

    it('is not held back where the API has one', () => {
      expect(merge({ phase: 'Failed' }, next, true)).toMatchObject(next);
    });

    it.each([
      ['Succeeded', 'PodCompleted'],
      ['Failed', 'PodFailed'],
    ])('%s: nothing is ready', (phase, reason) => {
      const conditions = [condition('Initialized'), condition('Ready'), condition('ContainersReady', 'False')];
      expect(merge({ phase: 'Running' }, { phase, conditions }).conditions).toEqual([
        condition('Initialized'),
        { type: 'Ready', status: 'False', reason, lastTransitionTime: now },
        { type: 'ContainersReady', status: 'False', reason, lastTransitionTime: before },
      ]);
    });

    it('leaves readiness that is False as it is, and a refused pod without conditions', () => {
      const conditions = [condition('Ready', 'False', { reason: 'PodFailed' }), condition('ContainersReady', 'False')];
      expect(merge({ phase: 'Running' }, { phase: 'Failed', conditions }).conditions).toEqual(conditions);
      expect(merge({ conditions: [condition('PodScheduled')] }, { phase: 'Failed' }).conditions).toEqual([]);
    });

    it('adds the other readiness condition where one is missing', () => {
      const next = { phase: 'Failed', conditions: [condition('x/a'), condition('Initialized'), condition('Ready')] };
      const unready = { status: 'False', reason: 'PodFailed', lastTransitionTime: now };
      expect(merge({}, next).conditions).toStrictEqual([
        condition('Initialized'),
        { type: 'Ready', ...unready },
        { type: 'ContainersReady', ...unready },
      ]);
    });

    it('says which generation it was computed for, and stamps what has no time', () => {
      const ready = [
        condition('Ready'),
        condition('ContainersReady', 'False', { lastTransitionTime: undefined as never }),
      ];
      const merged = (conditions: PodCondition[]): PodStatus =>
        mergeStatus({}, { phase: 'Failed', conditions }, { couldHaveRunningContainers: false, now, generation: 7 });
      const unready = { observedGeneration: 7, status: 'False', reason: 'PodFailed', lastTransitionTime: now };
      const both = [
        { type: 'Ready', ...unready },
        { type: 'ContainersReady', ...unready },
      ];
      expect(merged(ready).conditions).toEqual(both);
      expect(merged(ready.slice(0, 1)).conditions).toEqual(both);
    });
  });

  it.each(['resourceClaimStatuses', 'extendedResourceClaimStatus', 'nodeAllocatableResourceClaimStatuses'])(
    'keeps %s as the API has it',
    (member) => {
      expect(merge({ [member]: ['theirs'] } as PodStatus, { [member]: ['ours'] } as PodStatus)).toMatchObject({
        [member]: ['theirs'],
      });
      expect(merge({}, { [member]: ['ours'] } as PodStatus)).not.toHaveProperty(member);
    },
  );
});
