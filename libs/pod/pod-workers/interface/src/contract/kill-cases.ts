import { describe, expect, it } from '@podwright/contract';
import type { PodStatus } from '@podwright/kube-types';
import type { KillPodOptions } from '../pod-workers.js';
import { holdFirst, type SetUpWorkers } from './contract-workers.js';
import { makePod, type PodParts } from './pod-fixtures.js';

export function killCases(setUp: SetUpWorkers): void {
  describe('grace period', () => {
    it.each<[string, PodParts, KillPodOptions, number]>([
      ['the pod’s own', { graceSeconds: 30 }, {}, 30],
      ['that of the deletion', { deletionGraceSeconds: 12, deleted: true }, {}, 12],
      ['the override, when smaller', { deletionGraceSeconds: 12 }, { gracePeriodSeconds: 3 }, 3],
      ['that of the deletion, when smaller', { deletionGraceSeconds: 2 }, { gracePeriodSeconds: 3 }, 2],
      ['1 for an explicit 0', { deletionGraceSeconds: 0 }, {}, 1],
      ['1 for an override of 0', {}, { gracePeriodSeconds: 0 }, 1],
      ['1 for a pod that wants 0', { graceSeconds: 0 }, {}, 1],
    ])('is %s', async (_what, parts, kill, expected) => {
      const { workers, settle, graces } = await setUp();
      workers.updatePod({ type: 'kill', pod: makePod('a', parts), kill });
      await settle();
      expect(graces()).toEqual([expected]);
    });

    it('can only shrink', async () => {
      const { workers, settle, environment, graces } = await setUp();
      environment.onCall = async () => Promise.reject(new Error('no'));
      for (const gracePeriodSeconds of [10, 20, 4, 9]) {
        workers.updatePod({ type: 'kill', pod: makePod('a'), kill: { gracePeriodSeconds } });
        await settle();
      }
      expect(graces()).toEqual([10, 10, 4, 4]);
    });
  });

  describe('completion', () => {
    it('is told when the containers have ended, before the clean-up', async () => {
      const { workers, settle, environment, names } = await setUp();
      const seen: string[][] = [];
      const door = holdFirst(environment, 'terminated');
      workers.updatePod({ type: 'kill', pod: makePod('a'), kill: { onCompleted: () => seen.push(names()) } });
      await settle();
      expect(seen).toEqual([['terminating']]);
      workers.updatePod({ type: 'kill', pod: makePod('a'), kill: { onCompleted: () => seen.push([]) } });
      expect(seen).toHaveLength(2); // no container is left to end, so it is called at once
      door.open({ terminal: false });
    });

    it('applies the last status override that was registered', async () => {
      const { workers, settle, environment } = await setUp();
      const evicted = (reason: string) => (status: PodStatus) => ({ ...status, reason });
      workers.updatePod({ type: 'kill', pod: makePod('a'), kill: { overrideStatus: evicted('first') } });
      workers.updatePod({ type: 'kill', pod: makePod('a'), kill: { overrideStatus: evicted('last') } });
      await settle();
      expect(environment.calls[0]?.overrideStatus?.({}).reason).toBe('last');
    });

    it('resolves killPodNow with it, and tells the time limit when it does not come', async () => {
      const { workers, environment, settle } = await setUp();
      await workers.killPodNow(makePod('a'), {});
      environment.onCall = () => new Promise(() => undefined);
      const outcome = workers.killPodNow(makePod('b', { graceSeconds: 30 }), {}).then(
        () => 'killed',
        (error: unknown) => String(error),
      );
      await environment.clock.advance(44_999);
      expect(environment.recorded).toEqual([]);
      await environment.clock.advance(1);
      expect(await outcome).toContain('timeout waiting to kill pod');
      expect(environment.recorded).toEqual([
        {
          reason: 'ExceededGracePeriod',
          message: 'Container runtime did not kill the pod within specified grace period.',
        },
      ]);
      await settle();
      expect(environment.calls.filter(({ uid }) => uid === 'b')).toHaveLength(1); // the kill itself continues
    });
  });

  describe('time limit of killPodNow', () => {
    it.each<[string, PodParts, KillPodOptions, number]>([
      ['ten seconds at least', { graceSeconds: 0 }, {}, 10_000],
      ['one and a half times the grace of the spec, in whole seconds', { graceSeconds: 31 }, {}, 46_000],
      ['that of the override, when there is one', { graceSeconds: 60 }, { gracePeriodSeconds: 20 }, 30_000],
      ['not that of the deletion', { graceSeconds: 30, deletionGraceSeconds: 4, deleted: true }, {}, 45_000],
    ])('is %s', async (_what, parts, options, expectedMs) => {
      const { workers, environment } = await setUp();
      environment.onCall = () => new Promise(() => undefined);
      let endedMs: number | undefined;
      const end = (): void => void (endedMs = environment.clock.monotonic());
      void workers.killPodNow(makePod('a', parts), options).then(end, end);
      await environment.clock.advance(120_000);
      expect(endedMs).toBe(expectedMs);
    });
  });
}
