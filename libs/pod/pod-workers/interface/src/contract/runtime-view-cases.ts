import { describe, expect, it } from '@podwright/contract';
import { PodSandboxState } from '@podwright/cri-client-interface';
import { holdFirst, type SetUpWorkers } from './contract-workers.js';
import { makePod, makeRuntimePod } from './pod-fixtures.js';
import { emptyStatus } from './scripted-environment.js';

/** Cases about the runtime's status of a pod, which decides what the workers do. */
export function runtimeViewCases(setUp: SetUpWorkers): void {
  describe('status input', () => {
    it('wants none before the first sync, then one newer than the end of the previous sync', async () => {
      const { workers, settle, environment } = await setUp();
      await environment.clock.advance(5_000);
      const door = holdFirst(environment, 'sync');
      workers.updatePod({ type: 'create', pod: makePod('a') });
      await settle();
      expect(environment.statusWanted[0]?.minTimeMs).toBeLessThanOrEqual(0);
      await environment.clock.advance(250);
      door.open({ terminal: false });
      await settle();
      workers.updatePod({ type: 'sync', pod: makePod('a') });
      await settle();
      expect(environment.statusWanted[1]).toEqual({ uid: 'a', minTimeMs: 5_250 });
    });

    it('reports a status that cannot be read', async () => {
      const { workers, settle, environment, names } = await setUp();
      environment.onStatus = async () => Promise.reject(new Error('runtime is gone'));
      workers.updatePod({ type: 'create', pod: makePod('a') });
      await settle();
      expect(names()).toEqual([]);
      expect(environment.recorded).toEqual([
        { reason: 'FailedSync', message: 'error determining status: runtime is gone' },
      ]);
    });
  });

  describe('pods that only the runtime knows', () => {
    it('are killed without status and then forgotten', async () => {
      const { workers, settle, environment, lifecycle } = await setUp();
      workers.updatePod({ type: 'kill', runningPod: makeRuntimePod('a') });
      await settle();
      expect(environment.calls).toEqual([{ name: 'terminating-runtime', uid: 'a' }]);
      expect(environment.statusWanted).toEqual([]);
      expect(workers.syncKnownPods([]).size).toBe(0);
      expect(lifecycle.isKnownTerminated('a')).toBe(false);
    });

    it('can only be killed', async () => {
      const { workers, settle, environment } = await setUp();
      workers.updatePod({ type: 'sync', runningPod: makeRuntimePod('a') });
      await settle();
      expect(environment.calls).toEqual([]);
      expect(workers.syncKnownPods([]).size).toBe(0);
    });

    it('end by their spec when an earlier update brought one', async () => {
      const { workers, settle, names, lifecycle } = await setUp();
      workers.updatePod({ type: 'create', pod: makePod('a') });
      await settle();
      workers.updatePod({ type: 'kill', runningPod: makeRuntimePod('a'), kill: { gracePeriodSeconds: 1 } });
      await settle();
      expect(names()).toEqual(['sync', 'terminating', 'terminated']);
      expect(lifecycle.shouldContentBeRemoved('a')).toBe(true);
    });

    it('are left alone while the pod is terminated and cleaned up', async () => {
      const { workers, settle, environment, names } = await setUp();
      const door = holdFirst(environment, 'terminated');
      workers.updatePod({ type: 'kill', pod: makePod('a') });
      await settle();
      workers.updatePod({ type: 'kill', runningPod: makeRuntimePod('a') });
      door.open({ terminal: false });
      await settle();
      expect(names()).toEqual(['terminating', 'terminated']);
    });
  });

  describe('start of the kubelet', () => {
    it('cleans up only, for a pod that has ended and left nothing in the runtime', async () => {
      const { workers, settle, names, lifecycle } = await setUp();
      workers.updatePod({ type: 'create', pod: makePod('a', { phase: 'Succeeded' }) });
      expect(lifecycle.isKnownTerminated('a')).toBe(true);
      await settle();
      expect(names()).toEqual(['terminated']);
      expect(lifecycle.isFinished('a')).toBe(true);
    });

    it('goes the whole way when a sandbox is left', async () => {
      const { workers, settle, environment, names } = await setUp();
      const sandbox = { state: PodSandboxState.SANDBOX_READY } as unknown as ReturnType<
        typeof emptyStatus
      >['sandboxes'][number];
      environment.cached = (uid) => ({ ...emptyStatus(uid), sandboxes: [sandbox] });
      workers.updatePod({ type: 'create', pod: makePod('a', { phase: 'Failed' }) });
      await settle();
      expect(names()).toEqual(['terminating', 'terminated']);
    });
  });
}
