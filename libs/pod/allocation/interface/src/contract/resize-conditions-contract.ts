import { describe, expect, it } from '@podwright/contract';
import type { ResizeConditions } from '../resize-conditions.js';
import { podAskingFor } from './contract-pod.js';

/** One fresh instance and its clock, which only `advance` moves. */
export interface ResizeConditionsHarness {
  readonly conditions: ResizeConditions;
  advance(ms: number): Promise<void>;
}

/** Every implementation of {@link ResizeConditions} passes this suite. */
export function describeResizeConditionsContract(name: string, create: () => ResizeConditionsHarness): void {
  describe(`${name} as ResizeConditions`, () => {
    const pod = podAskingFor('a', '1');
    const newer = podAskingFor('a', '2', {}, 2);

    it('has nothing to say about a pod that is not resized', () => {
      const { conditions } = create();
      expect(conditions.of('uid-a')).toEqual([]);
      expect(conditions.clearPending('uid-a')).toBe(false);
      expect(conditions.clearInProgress('uid-a').changed).toBe(false);
      expect(conditions.podUids()).toEqual([]);
    });

    it('shows pending before in progress, each with reason, message and generation', () => {
      const { conditions } = create();
      expect(conditions.setInProgress(pod, '', '')).toEqual({ changed: true, generation: 1 });
      expect(conditions.setPending(newer, 'Deferred', 'no room')).toEqual({ changed: true, generation: 2 });
      const [pending, progress, ...rest] = conditions.of('uid-a');
      expect(rest).toEqual([]);
      expect(pending).toMatchObject({
        type: 'PodResizePending',
        status: 'True',
        reason: 'Deferred',
        message: 'no room',
        observedGeneration: 2,
      });
      expect(progress).toMatchObject({ type: 'PodResizeInProgress', status: 'True', observedGeneration: 1 });
      expect(progress).not.toHaveProperty('reason');
    });

    it('tells a new reason or generation of pending, not a new message', () => {
      const { conditions } = create();
      conditions.setPending(pod, 'Deferred', 'a');
      expect(conditions.setPending(pod, 'Deferred', 'b').changed).toBe(false);
      expect(conditions.of('uid-a')[0]?.message).toBe('b');
      expect(conditions.setPending(newer, 'Deferred', 'b').changed).toBe(true);
      expect(conditions.setPending(newer, 'Infeasible', 'b').changed).toBe(true);
    });

    it('keeps an error and the generation until the progress is cleared', () => {
      const { conditions } = create();
      conditions.setInProgress(pod, 'Error', 'busy');
      expect(conditions.setInProgress(newer, '', '')).toEqual({ changed: false, generation: 1 });
      expect(conditions.of('uid-a')[0]).toMatchObject({ reason: 'Error', message: 'busy', observedGeneration: 1 });
      expect(conditions.setInProgress(newer, 'Error', 'other').changed).toBe(true);
      expect(conditions.clearInProgress('uid-a')).toEqual({ changed: true, generation: 1 });
      expect(conditions.setInProgress(newer, '', '')).toEqual({ changed: true, generation: 2 });
    });

    it('moves the transition time with the reason alone', async () => {
      const { conditions, advance } = create();
      const time = (): unknown => conditions.of('uid-a')[0]?.lastTransitionTime;
      conditions.setPending(pod, 'Deferred', 'a');
      const first = time();
      await advance(5_000);
      conditions.setPending(newer, 'Deferred', 'b');
      expect(time()).toEqual(first);
      conditions.setPending(newer, 'Infeasible', 'b');
      expect(time()).not.toEqual(first);
    });

    it('keeps the probe time while it says the same', async () => {
      const { conditions, advance } = create();
      const time = (): unknown => conditions.of('uid-a')[0]?.lastProbeTime;
      conditions.setPending(pod, 'Deferred', 'a');
      const first = time();
      expect(first).toBeDefined();
      await advance(5_000);
      conditions.setPending(pod, 'Deferred', 'a');
      expect(time()).toEqual(first);
      conditions.setPending(pod, 'Deferred', 'b');
      expect(time()).not.toEqual(first);
    });

    it('takes over what the API shows, but never over its own knowledge', () => {
      const { conditions } = create();
      const deferred = { type: 'PodResizePending', status: 'True', reason: 'Deferred', message: 'old' };
      const shown = { ...pod, status: { conditions: [{ type: 'Ready', status: 'True' }, deferred] } };
      conditions.backfill(shown);
      expect(conditions.of('uid-a')).toEqual([deferred]);
      conditions.setPending(newer, 'Infeasible', 'new');
      conditions.backfill(shown);
      expect(conditions.of('uid-a')[0]?.reason).toBe('Infeasible');
    });

    it('forgets', () => {
      const { conditions } = create();
      conditions.setPending(pod, 'Deferred', '');
      expect(conditions.podUids()).toEqual(['uid-a']);
      conditions.forget('uid-a');
      expect(conditions.of('uid-a')).toEqual([]);
      expect(conditions.podUids()).toEqual([]);
    });
  });
}
