import { describe, expect, it } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import type { KillPodOptions } from '../pod-workers.js';
import { holdFirst, type SetUpWorkers } from './contract-workers.js';
import { makePod, makeRuntimePod } from './pod-fixtures.js';

export function cutOffTerminationCases(setUp: SetUpWorkers): void {
  describe('a termination that a kill -9 cut off', () => {
    /** Kills the kubelet 12 s after it began to terminate a pod with a grace period of 30 s. */
    async function cutOff(pod: Pod, type: 'update' | 'kill' = 'kill', kill: KillPodOptions = {}) {
      const world = await setUp();
      const { workers, environment, settle } = world;
      holdFirst(environment, 'terminating');
      const { deletionTimestamp: _deleted, ...metadata } = pod.metadata;
      workers.updatePod({ type: 'create', pod: { ...pod, metadata } });
      await settle();
      workers.updatePod({ type, pod, kill });
      await settle();
      expect(world.names()).toEqual(['sync', 'terminating']);
      await environment.clock.advance(12_000);
      return { ...world, next: await world.restart() };
    }
    const deleted = makePod('a', { deleted: true, deletionGraceSeconds: 30 });
    const fromFile = makePod('a', { fromFile: true });

    it('is in the checkpoint before the containers are told to end', async () => {
      const { workers, environment, settle } = await setUp();
      const seen: (readonly string[])[] = [];
      environment.onCall = async ({ name }) => {
        if (name === 'terminating') seen.push(environment.checkpoints.podUids());
        return { terminal: false };
      };
      workers.updatePod({ type: 'kill', pod: makePod('a') });
      await settle();
      expect(seen).toEqual([['a']]);
      expect(environment.checkpoints.podUids()).toEqual([]); // and forgotten at the end
    });

    it('is known from the start on', async () => {
      const { next } = await cutOff(deleted, 'update');
      expect(next.lifecycle.isTerminationRequested('a')).toBe(true);
      expect(next.lifecycle.couldHaveRunningContainers('a')).toBe(true);
    });

    it('of a deleted pod goes on with what is left of its time', async () => {
      const { next, settle, names, graces } = await cutOff(deleted, 'update');
      next.workers.updatePod({ type: 'create', pod: deleted });
      await settle();
      expect([names(), graces()]).toEqual([['terminating', 'terminated'], [18]]);
      expect(next.lifecycle.shouldContentBeRemoved('a')).toBe(true);
      expect(next.workers.syncKnownPods([deleted]).get('a')).toMatchObject({ restartRequested: false });
    });

    it('takes a shorter time that was asked for meanwhile', async () => {
      const { next, settle, graces } = await cutOff(deleted, 'update');
      next.workers.updatePod({ type: 'create', pod: makePod('a', { deleted: true, deletionGraceSeconds: 4 }) });
      await settle();
      expect(graces()).toEqual([4]);
    });

    it('has at least a second, and after the clock was set back no more than at first', async () => {
      const late = await cutOff(deleted, 'update');
      await late.environment.clock.advance(3_600_000);
      late.next.workers.updatePod({ type: 'create', pod: deleted });
      await late.settle();
      expect(late.graces()).toEqual([1]);
      const early = await cutOff(deleted, 'update');
      early.environment.clock.setWallClock(0);
      early.next.workers.updatePod({ type: 'create', pod: deleted });
      await early.settle();
      expect(early.graces()).toEqual([30]);
    });

    it('goes on with a time that was shortened while the containers were ending', async () => {
      const { workers, environment, settle, restart, graces } = await setUp();
      holdFirst(environment, 'terminating');
      workers.updatePod({ type: 'kill', pod: deleted });
      await settle();
      workers.updatePod({ type: 'kill', pod: deleted, kill: { gracePeriodSeconds: 5 } });
      await settle();
      const next = await restart();
      next.workers.updatePod({ type: 'create', pod: deleted });
      await settle();
      expect(graces()).toEqual([5]);
    });

    it('keeps its deadline over several deaths and failures', async () => {
      const { next, environment, settle, graces, restart } = await cutOff(deleted, 'update');
      environment.onCall = async () => Promise.reject(new Error('runtime is down'));
      next.workers.updatePod({ type: 'create', pod: deleted });
      await environment.clock.advance(8_000);
      expect(graces()).toEqual([18]);
      const third = await restart();
      third.workers.updatePod({ type: 'create', pod: deleted });
      await settle();
      expect(graces()).toEqual([10]);
    });

    it('of a pod that nobody wants any more is brought to its end with its own spec', async () => {
      const { next, settle, environment, names, graces } = await cutOff(fromFile);
      await settle();
      expect(names()).toEqual([]); // waits until syncKnownPods tells whether the pod is desired
      expect(next.workers.syncKnownPods([]).get('a')).toMatchObject({ orphan: true, hasConfig: true, static: true });
      await settle();
      expect([names(), graces()]).toEqual([['terminating', 'terminated'], [18]]);
      expect(environment.calls[0]?.pod).toEqual(fromFile);
      expect(next.workers.syncKnownPods([]).size).toBe(0);
      expect(environment.checkpoints.podUids()).toEqual([]);
    });

    it('lets a static pod that is wanted again restart afterwards, and is not shortened', async () => {
      const { next, settle, names, graces } = await cutOff(fromFile);
      next.workers.updatePod({ type: 'create', pod: fromFile });
      await settle();
      expect([names(), graces()]).toEqual([['terminating', 'terminated'], [18]]);
      expect(next.workers.syncKnownPods([fromFile]).has('a')).toBe(false);
      next.workers.updatePod({ type: 'create', pod: fromFile });
      await settle();
      expect(names()).toEqual(['terminating', 'terminated', 'sync']);
    });

    it('holds the name of a static pod until it is over', async () => {
      const { next, settle, environment, names } = await cutOff(makePod('a', { name: 'web', fromFile: true }));
      const successor = makePod('b', { name: 'web', fromFile: true });
      next.workers.updatePod({ type: 'create', pod: successor });
      await settle();
      expect(names('b')).toEqual([]);
      next.workers.syncKnownPods([successor]);
      await environment.clock.advance(0);
      expect(environment.calls.map(({ name, uid }) => `${name} ${uid}`)).toEqual([
        'terminating a',
        'terminated a',
        'sync b',
      ]);
    });

    it('of an evicted pod does not let it come back', async () => {
      const { next, settle, names } = await cutOff(makePod('a'), 'kill', { evict: true });
      next.workers.updatePod({ type: 'create', pod: makePod('a') });
      await settle();
      expect(names()).toEqual(['terminating', 'terminated']);
      expect(next.lifecycle.shouldContentBeRemoved('a')).toBe(true);
      expect(next.workers.syncKnownPods([makePod('a')]).get('a')).toMatchObject({ restartRequested: false });
    });

    it('of a pod that has come to its end only goes on ending', async () => {
      const { workers, environment, settle, restart, names, graces } = await setUp();
      environment.onCall = ({ name }) =>
        name === 'sync' ? Promise.resolve({ terminal: true }) : new Promise(() => undefined);
      workers.updatePod({ type: 'create', pod: fromFile });
      await settle();
      const next = await restart();
      next.workers.updatePod({ type: 'create', pod: fromFile });
      await settle();
      expect([names(), graces()]).toEqual([['terminating', 'terminated'], [30]]);
      expect(next.workers.syncKnownPods([fromFile]).get('a')).toMatchObject({ restartRequested: false });
    });

    it('that was asked for and had not begun has its full time', async () => {
      const { workers, environment, settle, restart, graces } = await setUp();
      holdFirst(environment, 'sync');
      workers.updatePod({ type: 'create', pod: fromFile });
      await settle();
      workers.updatePod({ type: 'kill', pod: fromFile });
      await environment.clock.advance(12_000);
      const next = await restart();
      next.workers.syncKnownPods([]);
      await settle();
      expect(graces()).toEqual([30]);
    });

    it('leaves a pod that was not ending to the runtime', async () => {
      const { workers, settle, restart, names } = await setUp();
      workers.updatePod({ type: 'create', pod: fromFile });
      await settle();
      const next = await restart();
      expect(next.lifecycle.isTerminationRequested('a')).toBe(false);
      next.workers.updatePod({ type: 'kill', runningPod: makeRuntimePod('a'), kill: { gracePeriodSeconds: 1 } });
      await settle();
      expect(names()).toEqual(['terminating-runtime']);
    });
  });
}
