import { describe, expect, it } from '@podwright/contract';
import type { KillPodOptions } from '../pod-workers.js';
import { holdFirst, type SetUpWorkers } from './contract-workers.js';
import { gate, makePod, type PodParts } from './pod-fixtures.js';

export function podLifecycleCases(setUp: SetUpWorkers): void {
  describe('lifecycle of a pod', () => {
    it('syncs, and then waits for its next turn', async () => {
      const { workers, lifecycle, settle, environment } = await setUp();
      workers.updatePod({ type: 'create', pod: makePod('a') });
      await settle();
      expect(environment.calls.map(({ name, uid, updateType }) => [name, uid, updateType])).toEqual([
        ['sync', 'a', 'create'],
      ]);
      expect(lifecycle.couldHaveRunningContainers('a')).toBe(true);
      expect(lifecycle.isTerminationRequested('a')).toBe(false);
    });

    it('goes from sync over terminating to terminated by itself when the pod has reached its end', async () => {
      const { workers, lifecycle, settle, environment, names, graces } = await setUp();
      environment.onCall = async (call) => ({ terminal: call.name === 'sync' });
      workers.updatePod({ type: 'create', pod: makePod('a') });
      await settle();
      expect(names()).toEqual(['sync', 'terminating', 'terminated']);
      expect(graces()).toEqual([undefined]); // no kill names one: the containers' own grace periods count
      expect(lifecycle.isFinished('a')).toBe(true);
      expect(lifecycle.shouldContentBeRemoved('a')).toBe(false); // ended, not deleted
    });

    it.each<[string, PodParts, 'update' | 'kill', KillPodOptions | undefined]>([
      ['deletionTimestamp', { deleted: true }, 'update', undefined],
      ['API phase Failed', { phase: 'Failed' }, 'update', undefined],
      ['API phase Succeeded', { phase: 'Succeeded' }, 'update', undefined],
      ['a kill', {}, 'kill', undefined],
      ['an eviction', {}, 'kill', { evict: true }],
    ])('terminates on %s', async (_reason, parts, type, kill) => {
      const { workers, lifecycle, settle, names } = await setUp();
      workers.updatePod({ type: 'create', pod: makePod('a') });
      await settle();
      workers.updatePod({ type, pod: makePod('a', parts), ...(kill !== undefined && { kill }) });
      expect(lifecycle.isTerminationRequested('a')).toBe(true);
      expect(lifecycle.shouldContainersBeTerminating('a')).toBe(false); // the worker has not seen it yet
      await settle();
      expect(names()).toEqual(['sync', 'terminating', 'terminated']);
      expect(lifecycle.isKnownTerminated('a')).toBe(true);
      expect(lifecycle.couldHaveRunningContainers('a')).toBe(false);
      expect(lifecycle.shouldRuntimeBeRemoved('a')).toBe(true);
      expect(lifecycle.shouldContentBeRemoved('a')).toBe(parts.deleted === true || kill?.evict === true);
      workers.updatePod({ type: 'sync', pod: makePod('a') });
      await settle();
      expect(names()).toHaveLength(3); // finished: no further updates
    });

    it('lets a hung pod block itself alone', async () => {
      const { workers, settle, environment, names } = await setUp();
      const door = gate<{ terminal: boolean }>();
      environment.onCall = async (call) => (call.uid === 'a' ? door.promise : { terminal: false });
      for (const uid of ['a', 'b']) workers.updatePod({ type: 'create', pod: makePod(uid) });
      await settle();
      workers.updatePod({ type: 'sync', pod: makePod('a') });
      workers.updatePod({ type: 'sync', pod: makePod('b') });
      await settle();
      expect([names('a'), names('b')]).toEqual([['sync'], ['sync', 'sync']]);
      door.open({ terminal: false });
    });

    it('keeps only the newest of the updates that come during a sync', async () => {
      const { workers, settle, environment } = await setUp();
      const door = holdFirst(environment, 'sync');
      workers.updatePod({ type: 'create', pod: makePod('a') });
      await settle();
      const newest = makePod('a', { graceSeconds: 7 });
      for (const pod of [makePod('a'), makePod('a'), newest]) workers.updatePod({ type: 'update', pod });
      door.open({ terminal: false });
      await settle();
      expect(environment.calls).toHaveLength(2);
      expect(environment.calls[1]?.pod).toBe(newest);
    });
  });

  describe('cancellation', () => {
    it('cancels a running sync when the pod is to terminate', async () => {
      const { workers, settle, environment, names } = await setUp();
      environment.onCall = (call) =>
        call.name !== 'sync'
          ? Promise.resolve({ terminal: false })
          : new Promise((_resolve, reject) =>
              call.signal?.addEventListener('abort', () => reject(call.signal?.reason)),
            );
      workers.updatePod({ type: 'create', pod: makePod('a') });
      await settle();
      workers.updatePod({ type: 'kill', pod: makePod('a') });
      await settle();
      expect(names()).toEqual(['sync', 'terminating', 'terminated']);
    });

    it('gives a shorter grace period to the next terminating sync only', async () => {
      const { workers, settle, environment, graces } = await setUp();
      const door = holdFirst(environment, 'terminating');
      workers.updatePod({ type: 'kill', pod: makePod('a') });
      await settle();
      workers.updatePod({ type: 'kill', pod: makePod('a'), kill: { gracePeriodSeconds: 5 } });
      await settle();
      expect(graces()).toEqual([30]);
      door.fail(new Error('still running'));
      await settle();
      expect(graces()).toEqual([30, 5]);
    });
  });

  describe('stop', () => {
    it('can be called early and twice, and ends a cancellable sync', async () => {
      const { workers, settle, environment } = await setUp();
      environment.onCall = (call) =>
        new Promise((_resolve, reject) => call.signal?.addEventListener('abort', () => reject(call.signal?.reason)));
      workers.updatePod({ type: 'create', pod: makePod('a') });
      await settle();
      await Promise.all([workers.stop(), workers.stop()]);
      workers.updatePod({ type: 'create', pod: makePod('b') });
      await settle();
      expect(environment.calls.map(({ uid }) => uid)).toEqual(['a']);
    });
  });
}
