import { describe, expect, it } from '@podwright/contract';
import type { ContainerRuntime } from '@podwright/container-runtime-interface';
import type { PodStatus } from '@podwright/kube-types';
import type { PodSyncer } from '../pod-syncer.js';
import { backOffUntilOf } from '../sync-error.js';
import { ScriptedRuntime, podWith, record, statusWith } from './scripted-runtime.js';

export interface PodSyncerHarness {
  readonly syncer: PodSyncer;
  /** The pod's status in the status manager. */
  statusOf(podUid: string): PodStatus | undefined;
}

/**
 * Every {@link PodSyncer} passes this suite. `create` builds one on the given runtime, with other managers that never
 * block a sync: network ready, no volumes, no secrets, no probes, termination never requested.
 */
export function describePodSyncerContract(
  name: string,
  create: (runtime: ContainerRuntime) => Promise<PodSyncerHarness>,
): void {
  const never = new AbortController().signal;
  const setUp = async (): Promise<PodSyncerHarness & { readonly runtime: ScriptedRuntime }> => {
    const runtime = new ScriptedRuntime();
    return { ...(await create(runtime)), runtime };
  };

  describe(`${name} as a PodSyncer`, () => {
    it('stores a status and hands the pod to the runtime once per sync', async () => {
      const { syncer, runtime, statusOf } = await setUp();
      const context = { updateType: 'create', pod: podWith(), status: statusWith() } as const;
      await expect(syncer.syncPod(context, never)).resolves.toEqual({ terminal: false });
      await expect(syncer.syncPod(context, never)).resolves.toEqual({ terminal: false });
      expect(statusOf('uid-1')?.phase).toBe('Pending');
      expect(runtime.calls).toEqual(['syncPod uid-1', 'syncPod uid-1']);
    });

    it.each([
      [0, 'Succeeded'],
      [1, 'Failed'],
    ])('reports a pod that ended with code %i as terminal, and starts nothing', async (exitCode, phase) => {
      const { syncer, runtime, statusOf } = await setUp();
      const pod = podWith({ restartPolicy: 'Never' });
      const result = await syncer.syncPod(
        { updateType: 'sync', pod, status: statusWith(record('exited', exitCode)) },
        never,
      );
      expect(result).toEqual({ terminal: true });
      expect(statusOf('uid-1')?.phase).toBe(phase);
      expect(runtime.calls).toEqual([]);
    });

    it('rejects with the failures of the runtime sync and the end of the back-off', async () => {
      const { syncer, runtime } = await setUp();
      const error = { reason: 'CrashLoopBackOff', message: 'back-off 10s' };
      runtime.next.sync = { results: [{ action: 'StartContainer', target: 'app', error, backOffUntilMs: 5000 }] };
      const failure = await syncer
        .syncPod({ updateType: 'sync', pod: podWith(), status: statusWith() }, never)
        .catch((thrown: unknown) => thrown);
      expect((failure as Error).message).toBe(
        'failed to "StartContainer" for "app" with CrashLoopBackOff: "back-off 10s"',
      );
      expect(backOffUntilOf(failure)).toBe(5000);
    });

    it('does not reach the runtime once the signal has aborted', async () => {
      const { syncer, runtime } = await setUp();
      await expect(
        syncer.syncPod({ updateType: 'sync', pod: podWith(), status: statusWith() }, AbortSignal.abort()),
      ).rejects.toBeDefined();
      expect(runtime.calls).toEqual([]);
    });

    it('terminates: kills with the grace period, looks again, and ends with a terminal status', async () => {
      const { syncer, runtime, statusOf } = await setUp();
      runtime.next.status = statusWith(record('exited', 137));
      await syncer.syncTerminatingPod({ pod: podWith(), status: statusWith(record('running')), gracePeriodSeconds: 7 });
      expect(runtime.calls).toEqual(['killPod uid-1 spec=true grace=7', 'getPodStatus']);
      expect(statusOf('uid-1')?.phase).toBe('Failed');
    });

    it('leaves grace periods to the containers when none is given', async () => {
      const { syncer, runtime } = await setUp();
      await syncer.syncTerminatingPod({ pod: podWith(), status: statusWith() });
      expect(runtime.calls[0]).toBe('killPod uid-1 spec=true grace=own');
    });

    it('stores the overridden status before the kill', async () => {
      const { syncer, runtime, statusOf } = await setUp();
      let before: PodStatus | undefined;
      const kill = runtime.killPod.bind(runtime);
      runtime.killPod = async (request) => {
        before = statusOf('uid-1');
        return kill(request);
      };
      const overrideStatus = (status: PodStatus): PodStatus => ({ ...status, phase: 'Failed', reason: 'Evicted' });
      await syncer.syncTerminatingPod({ pod: podWith(), status: statusWith(), overrideStatus });
      expect(before).toMatchObject({ phase: 'Failed', reason: 'Evicted' });
    });

    it('rejects while the kill fails or something runs on, and works when it is repeated', async () => {
      const { syncer, runtime } = await setUp();
      const context = { pod: podWith(), status: statusWith(record('running')) };
      runtime.next.kill = {
        results: [{ action: 'KillContainer', target: 'app', error: { reason: 'KillContainerError', message: 'busy' } }],
      };
      await expect(syncer.syncTerminatingPod(context)).rejects.toThrow('busy');
      runtime.next.kill = { results: [] };
      runtime.next.status = statusWith(record('running'));
      await expect(syncer.syncTerminatingPod(context)).rejects.toThrow('running containers');
      runtime.next.status = statusWith(record('exited', 0));
      await expect(syncer.syncTerminatingPod(context)).resolves.toBeUndefined();
    });

    it('kills a pod that only the runtime knows with a grace period of 1 s', async () => {
      const { syncer, runtime } = await setUp();
      const runningPod = { uid: 'stray', name: 'x', namespace: 'y', containers: [], sandboxes: [] };
      await syncer.syncTerminatingRuntimePod(runningPod);
      expect(runtime.calls).toEqual(['killPod stray spec=false grace=1']);
      runtime.next.kill = { results: [], error: new Error('no runtime') };
      await expect(syncer.syncTerminatingRuntimePod(runningPod)).rejects.toThrow('no runtime');
    });

    it('leaves a terminated pod with a terminal status, also when it is done twice', async () => {
      const { syncer, statusOf } = await setUp();
      for (let round = 0; round < 2; round += 1)
        await syncer.syncTerminatedPod(podWith(), statusWith(record('exited', 0)), never);
      expect(statusOf('uid-1')?.phase).toBe('Succeeded');
    });
  });
}
