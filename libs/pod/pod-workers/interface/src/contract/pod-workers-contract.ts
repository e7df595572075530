import { afterEach, describe, expect, it } from '@jest/globals';
import { PodSandboxState } from '@podwright/cri-client-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';
import type { PodLifecycle } from '../pod-lifecycle.js';
import type { PodWorkQueue } from '../pod-work-queue.js';
import type { KillPodOptions, PodWorkers } from '../pod-workers.js';
import { gate, makePod, makeRuntimePod } from './pod-fixtures.js';
import type { PodParts } from './pod-fixtures.js';
import { createScriptedEnvironment, emptyStatus } from './scripted-environment.js';
import type { ScriptedEnvironment } from './scripted-environment.js';

export interface PodWorkersHarness {
  readonly workers: PodWorkers;
  readonly lifecycle: PodLifecycle;
  readonly queue: PodWorkQueue;
}

/** Every implementation of PodWorkers passes this suite; `create` gives a new instance per case, built on `environment`. */
export function describePodWorkersContract(
  name: string,
  create: (environment: ScriptedEnvironment) => Promise<PodWorkersHarness>,
): void {
  describe(`${name} as PodWorkers`, () => {
    const running: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const stop of running.splice(0)) await stop();
    });

    async function setUp() {
      const environment = createScriptedEnvironment();
      const harness = await create(environment);
      running.push(async () => {
        // A call that never ends holds stop() up to a time limit, which only the clock can bring.
        await Promise.all([harness.workers.stop(), environment.clock.advance(60_000)]);
      });
      await harness.workers.start();
      const settle = (): Promise<void> => environment.clock.advance(0);
      const names = (uid = 'a'): string[] =>
        environment.calls.filter((call) => call.uid === uid).map((call) => call.name);
      const graces = (): (number | undefined)[] =>
        environment.calls.filter((call) => call.name === 'terminating').map((call) => call.gracePeriodSeconds);
      /** Kill -9: other workers on what these have left. The calls of both are recorded together. */
      const restart = async (): Promise<PodWorkersHarness> => {
        environment.memory = environment.memory.restarted();
        environment.onCall = async () => ({ terminal: false });
        environment.calls.length = 0;
        const next = await create(environment);
        running.push(async () => {
          await Promise.all([next.workers.stop(), environment.clock.advance(60_000)]);
        });
        await next.workers.start();
        return next;
      };
      return { ...harness, environment, settle, names, graces, restart };
    }
    const holdFirst = (environment: ScriptedEnvironment, held: string) => {
      const door = gate<{ terminal: boolean }>();
      let first = true;
      environment.onCall = async (call) => {
        if (call.name !== held || !first) return { terminal: false };
        first = false;
        return door.promise;
      };
      return door;
    };

    describe('way of a pod', () => {
      it('syncs, and then waits for its next turn', async () => {
        const { workers, lifecycle, settle, environment } = await setUp();
        workers.updatePod({ type: 'create', pod: makePod('a') });
        await settle();
        expect(environment.calls).toMatchObject([{ name: 'sync', uid: 'a', updateType: 'create' }]);
        expect(lifecycle.couldHaveRunningContainers('a')).toBe(true);
        expect(lifecycle.isTerminationRequested('a')).toBe(false);
      });

      it('goes from sync over terminating to terminated by itself when the pod has reached its end', async () => {
        const { workers, lifecycle, settle, environment, names, graces } = await setUp();
        environment.onCall = async (call) => ({ terminal: call.name === 'sync' });
        workers.updatePod({ type: 'create', pod: makePod('a') });
        await settle();
        expect(names()).toEqual(['sync', 'terminating', 'terminated']);
        expect(graces()).toEqual([undefined]); // nobody asked: the containers' own grace periods count
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
        expect(seen).toHaveLength(2); // nothing to end any more: at once
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
        expect(environment.calls.filter(({ uid }) => uid === 'b')).toHaveLength(1); // the kill itself goes on
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
        const { workers, settle, environment } = await setUp();
        environment.onStatus = async () => Promise.reject(new Error('runtime is gone'));
        workers.updatePod({ type: 'create', pod: makePod('a') });
        await settle();
        expect(environment.calls).toEqual([]);
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

    describe('a termination that a kill -9 cut off', () => {
      /** A pod with 30 s that has been ending for 12 s when its kubelet dies. */
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

      it('is remembered before the containers are told to end', async () => {
        const { workers, environment, settle } = await setUp();
        const seen: (readonly string[])[] = [];
        environment.onCall = async ({ name }) => {
          if (name === 'terminating') seen.push(environment.memory.podUids());
          return { terminal: false };
        };
        workers.updatePod({ type: 'kill', pod: makePod('a') });
        await settle();
        expect(seen).toEqual([['a']]);
        expect(environment.memory.podUids()).toEqual([]); // and forgotten at the end
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
        expect(names()).toEqual([]); // the configuration has not spoken yet
        expect(next.workers.syncKnownPods([]).get('a')).toMatchObject({ orphan: true, hasConfig: true, static: true });
        await settle();
        expect([names(), graces()]).toEqual([['terminating', 'terminated'], [18]]);
        expect(environment.calls[0]?.pod).toEqual(fromFile);
        expect(next.workers.syncKnownPods([]).size).toBe(0);
        expect(environment.memory.podUids()).toEqual([]);
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
        let failures = 2;
        environment.onCall = async (call) => {
          if (call.name === 'terminating' && failures-- > 0) throw new Error('busy');
          return { terminal: false };
        };
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

    describe('static pods', () => {
      const version = (uid: string): Pod => makePod(uid, { name: 'web', fromFile: true });

      it('start one at a time per full name, in order of arrival', async () => {
        const { workers, settle, environment, names } = await setUp();
        const door = holdFirst(environment, 'terminated');
        workers.updatePod({ type: 'create', pod: version('v1') });
        await settle();
        workers.updatePod({ type: 'kill', pod: version('v1') });
        for (const uid of ['v2', 'v3']) workers.updatePod({ type: 'create', pod: version(uid) });
        await settle();
        expect([names('v1'), names('v2'), names('v3')]).toEqual([['sync', 'terminating', 'terminated'], [], []]);
        door.open({ terminal: false });
        await environment.clock.advance(20_000);
        for (const uid of ['v3', 'v2', 'v3']) {
          workers.updatePod({ type: 'sync', pod: version(uid) }); // what the loop does when the queue says so
          await settle();
        }
        expect(names('v3')).toEqual([]);
        expect(names('v2').length).toBeGreaterThan(0);
      });

      it('that end before they started are finished without any sync, and do not hold up others', async () => {
        const { workers, settle, environment, names, lifecycle } = await setUp();
        let completed = 0;
        const door = holdFirst(environment, 'terminating');
        workers.updatePod({ type: 'create', pod: version('v1') });
        await settle();
        workers.updatePod({ type: 'kill', pod: version('v1') });
        for (const uid of ['v2', 'v3']) workers.updatePod({ type: 'create', pod: version(uid) });
        workers.updatePod({ type: 'kill', pod: version('v2'), kill: { onCompleted: () => completed++ } });
        await settle();
        expect([names('v2'), lifecycle.isFinished('v2'), completed]).toEqual([[], true, 1]);
        door.open({ terminal: false });
        await environment.clock.advance(20_000);
        workers.updatePod({ type: 'sync', pod: version('v3') });
        await settle();
        expect(names('v3').length).toBeGreaterThan(0);
      });

      it('that never started are forgotten at once when nobody wants them', async () => {
        const { workers, settle, environment, names } = await setUp();
        const door = holdFirst(environment, 'sync');
        workers.updatePod({ type: 'create', pod: version('v1') });
        workers.updatePod({ type: 'create', pod: version('v2') });
        await settle();
        expect([...workers.syncKnownPods([version('v1')]).keys()]).toEqual(['v1']);
        door.open({ terminal: false });
        await settle();
        expect(names('v2')).toEqual([]);
      });
    });

    describe('work queue', () => {
      it('reports each pod once, at the earliest time asked for', async () => {
        const { queue, environment } = await setUp();
        const due: string[] = [];
        for (const delayMs of [900, 300, 600]) queue.enqueue('a', delayMs);
        queue.enqueue('b', 100);
        const unwatch = queue.watch((uid) => due.push(`${uid} ${environment.clock.monotonic()}`));
        await environment.clock.advance(2_000);
        unwatch();
        queue.enqueue('a', 0);
        await environment.clock.advance(2_000);
        expect(due).toEqual(['b 100', 'a 300']);
      });
    });

    describe('requeue', () => {
      it.each<[string, Error | undefined, number, number]>([
        ['a success', undefined, 60_000, 90_000],
        ['an error', new Error('broken'), 10_000, 15_000],
        ['a network that is not ready', new Error('network is not ready: cni'), 1_000, 1_500],
      ])('after %s', async (_what, error, fromMs, toMs) => {
        const { workers, environment, queue } = await setUp();
        environment.onCall = async () => (error === undefined ? { terminal: false } : Promise.reject(error));
        const due: string[] = [];
        const unwatch = queue.watch((uid) => due.push(uid));
        workers.updatePod({ type: 'create', pod: makePod('a') });
        await environment.clock.advance(fromMs - 1);
        expect(due).toEqual([]);
        await environment.clock.advance(toMs - fromMs + 1);
        expect(due).toEqual(['a']);
        unwatch();
      });

      it.each<[number, number, number]>([
        [40_000, 40_000, 60_000],
        [300_000, 60_000, 90_000],
        [-5_000, 0, 1],
      ])('at the end of a container’s back-off in %d ms', async (inMs, fromMs, toMs) => {
        const { workers, environment, queue } = await setUp();
        const backOffUntilMs = environment.clock.now() + inMs;
        environment.onCall = async () =>
          Promise.reject(Object.assign(new Error('CrashLoopBackOff'), { backOffUntilMs }));
        const due: string[] = [];
        const unwatch = queue.watch((uid) => due.push(uid));
        workers.updatePod({ type: 'create', pod: makePod('a') });
        if (fromMs > 0) await environment.clock.advance(fromMs - 1);
        expect(due).toEqual([]);
        await environment.clock.advance(toMs - fromMs + 1);
        expect(due).toEqual(['a']);
        unwatch();
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
  });
}
