import { describe, expect, it } from '@podwright/contract';
import { isStaticPod } from '@podwright/kube-types';
import { holdFirst, type SetUpWorkers } from './contract-workers.js';
import { makePod } from './pod-fixtures.js';
import type { ScriptedEnvironment } from './scripted-environment.js';

export function knownPodsCases(setUp: SetUpWorkers): void {
  describe('same UID again', () => {
    it('remembers that the pod is wanted again, and lets it start when the record was dropped', async () => {
      const { workers, settle, environment, names } = await setUp();
      const door = holdFirst(environment, 'terminating');
      const pod = makePod('a', { fromFile: true });
      workers.updatePod({ type: 'create', pod });
      await settle();
      workers.updatePod({ type: 'kill', pod });
      await settle();
      workers.updatePod({ type: 'create', pod });
      expect(workers.syncKnownPods([pod]).get('a')).toMatchObject({
        state: 'terminating',
        restartRequested: true,
        orphan: false,
      });
      door.open({ terminal: false });
      await settle();
      expect(names()).toEqual(['sync', 'terminating', 'terminated']);
      expect(workers.syncKnownPods([pod]).has('a')).toBe(false);
      workers.updatePod({ type: 'create', pod });
      await settle();
      expect(names()).toEqual(['sync', 'terminating', 'terminated', 'sync']);
    });
  });

  describe('same UID again after a failed termination', () => {
    it('goes on with it, without a call of housekeeping or of the work queue', async () => {
      const { workers, settle, environment, names } = await setUp();
      failTerminations(environment, 1);
      const pod = makePod('a', { fromFile: true });
      workers.updatePod({ type: 'create', pod });
      await settle();
      workers.updatePod({ type: 'kill', pod });
      await settle();
      workers.updatePod({ type: 'create', pod });
      await settle();
      expect(names()).toEqual(['sync', 'terminating', 'terminating', 'terminated']);
      workers.updatePod({ type: 'create', pod });
      await settle();
      expect(names()).toHaveLength(4);
      expect(workers.syncKnownPods([pod]).has('a')).toBe(false);
    });
  });

  describe('syncKnownPods', () => {
    it('terminates an orphan with its own grace recorded but none handed on, and forgets it when it has ended', async () => {
      const { workers, settle, lifecycle, names, graces } = await setUp();
      workers.updatePod({ type: 'create', pod: makePod('a') });
      await settle();
      const seen = workers.syncKnownPods([]).get('a');
      expect(seen).toEqual({
        state: 'terminating',
        orphan: true,
        fullName: 'a_default',
        restartRequested: false,
        hasConfig: true,
        static: false,
      });
      await settle();
      expect(names()).toEqual(['sync', 'terminating', 'terminated']);
      expect(graces()).toEqual([undefined]);
      expect(lifecycle.isFinished('a')).toBe(true);
      expect(workers.syncKnownPods([]).size).toBe(0);
      expect(lifecycle.isFinished('a')).toBe(false);
    });

    it('drives an orphan on whose termination failed', async () => {
      const { workers, settle, environment, names } = await setUp();
      failTerminations(environment, 2);
      workers.updatePod({ type: 'kill', pod: makePod('a') });
      await settle();
      workers.syncKnownPods([]);
      await settle();
      workers.syncKnownPods([]);
      await settle();
      expect(names()).toEqual(['terminating', 'terminating', 'terminating', 'terminated']);
    });

    it('keeps finished records of wanted pods', async () => {
      const { workers, settle } = await setUp();
      const pod = makePod('a', { deleted: true });
      workers.updatePod({ type: 'update', pod });
      await settle();
      expect(workers.syncKnownPods([pod]).get('a')).toMatchObject({ state: 'terminated', orphan: false });
      expect(workers.syncKnownPods([]).size).toBe(0);
    });

    it('among some pods does nothing about others and unknown ones', async () => {
      const { workers, settle, lifecycle, names } = await setUp();
      workers.updatePod({ type: 'create', pod: makePod('a', { fromFile: true }) });
      workers.updatePod({ type: 'create', pod: makePod('b') });
      await settle();
      const seen = workers.syncKnownPods([], isStaticPod);
      expect([...seen.keys()]).toEqual(['a']);
      await settle();
      expect([names('a'), names('b')]).toEqual([['sync', 'terminating', 'terminated'], ['sync']]);
      expect(['a', 'b'].map((uid) => lifecycle.isTerminationRequested(uid))).toEqual([true, false]);
      expect(lifecycle.couldHaveRunningContainers('x')).toBe(true);
    });

    it('changes what is said of unknown pods', async () => {
      const { workers, lifecycle } = await setUp();
      const answers = (): boolean[] => [
        lifecycle.couldHaveRunningContainers('x'),
        lifecycle.shouldContainersBeTerminating('x'),
        lifecycle.shouldRuntimeBeRemoved('x'),
        lifecycle.shouldContentBeRemoved('x'),
        lifecycle.isTerminationRequested('x'),
        lifecycle.isKnownTerminated('x'),
        lifecycle.isFinished('x'),
      ];
      expect(answers()).toEqual([true, false, false, false, false, false, false]);
      workers.syncKnownPods([]);
      expect(answers()).toEqual([false, true, true, true, false, false, false]);
    });
  });
}

/** The first `times` terminations fail. */
function failTerminations(environment: ScriptedEnvironment, times: number): void {
  let failures = times;
  environment.onCall = async (call) => {
    if (call.name === 'terminating' && failures-- > 0) throw new Error('busy');
    return { terminal: false };
  };
}
