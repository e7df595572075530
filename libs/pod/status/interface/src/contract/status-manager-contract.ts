import { describe, expect, it } from '@podwright/contract';
import type { ContainerStatus, Pod, PodStatus } from '@podwright/kube-types';
import type { StatusManager } from '../status-manager.js';

export interface StatusManagerHarness {
  readonly manager: StatusManager;
  /** Adds a pod, and its mirror pod when given, to the pod manager that the status manager reads. */
  addPod(pod: Pod, mirrorPod?: Pod): void;
  /** Advances the clock. */
  advance(ms: number): Promise<void>;
  /** Acts like kill -9, with a restart one minute later: starts another manager on the same checkpoints and pods. */
  restart(): Promise<StatusManager>;
}

const pod = (part: { metadata?: Pod['metadata']; spec?: Partial<Pod['spec']> } = {}): Pod => ({
  metadata: { name: 'p', namespace: 'n', uid: 'u1', ...part.metadata },
  spec: { containers: [{ name: 'a' }], ...part.spec },
});

const container = (part: Partial<ContainerStatus>): ContainerStatus => ({
  name: 'a',
  containerID: 'containerd://c1',
  ready: false,
  restartCount: 0,
  image: '',
  imageID: '',
  state: { running: {} },
  ...part,
});

const running = (part: Partial<PodStatus> = {}): PodStatus => ({
  phase: 'Running',
  containerStatuses: [container({})],
  conditions: [
    { type: 'Ready', status: 'False' },
    { type: 'ContainersReady', status: 'False' },
  ],
  ...part,
});

/** Every {@link StatusManager} passes this suite, with or without an API server. */
export function describeStatusManagerContract(name: string, create: () => Promise<StatusManagerHarness>): void {
  describe(`${name} as a StatusManager`, () => {
    async function started(
      of = pod(),
    ): Promise<StatusManagerHarness & { readonly changes: string[]; readonly pod: Pod }> {
      const harness = await create();
      const { manager, addPod } = harness;
      addPod(of);
      await manager.start();
      const changes: string[] = [];
      manager.watch((uid) => changes.push(uid));
      return { ...harness, changes, pod: of };
    }

    it('tells which pod has changed, and of its end as such, also when it changes nothing', async () => {
      const { manager, pod: of } = await started();
      const ends: unknown[] = [];
      manager.watch((_uid, _status, change) => ends.push([change.pod.metadata.name, change.ended]));
      manager.setPodStatus(of, running());
      manager.terminatePod(of);
      manager.terminatePod(of);
      const name = of.metadata.name;
      expect(ends).toEqual([
        [name, false],
        [name, true],
        [name, true],
      ]);
    });

    it('tells no more to whom does not watch any longer', async () => {
      const { manager, changes, pod: of } = await started();
      const others: string[] = [];
      const unwatch = manager.watch((uid) => others.push(uid));
      manager.setPodStatus(of, running());
      unwatch();
      manager.setPodStatus(of, running({ phase: 'Failed' }));
      expect([others, changes]).toEqual([['u1'], ['u1', 'u1']]);
    });

    it('keeps the newest status and tells of each change once', async () => {
      const { manager, changes, pod: of } = await started();
      expect(manager.getPodStatus('u1')).toBeUndefined();
      manager.setPodStatus(of, running());
      manager.setPodStatus(of, running());
      expect(manager.getPodStatus('u1')?.phase).toBe('Running');
      expect(changes).toEqual(['u1']);
      manager.setPodStatus(of, running({ phase: 'Failed' }));
      expect(manager.getPodStatus('u1')?.phase).toBe('Failed');
      expect(changes).toEqual(['u1', 'u1']);
      await manager.stop();
      await manager.stop();
    });

    it('stamps a start time once', async () => {
      const { manager, pod: of, advance } = await started();
      manager.setPodStatus(of, running());
      const first = manager.getPodStatus('u1')?.startTime;
      expect(first).toBeDefined();
      expect(first).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      await advance(1_000);
      manager.setPodStatus(of, running({ phase: 'Failed' }));
      expect(manager.getPodStatus('u1')?.startTime).toBe(first);
    });

    it('moves the transition time only when the value of a condition changes', async () => {
      const { manager, pod: of, advance } = await started();
      const time = (): string | undefined =>
        manager.getPodStatus('u1')?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
      manager.setPodStatus(of, running());
      const first = time();
      expect(first).toBeDefined();
      await advance(1_000);
      manager.setPodStatus(of, running({ conditions: [{ type: 'Ready', status: 'False', reason: 'other' }] }));
      expect(time()).toBe(first);
      manager.setPodStatus(of, running({ conditions: [{ type: 'Ready', status: 'True' }] }));
      expect(time()).not.toBe(first);
    });

    it('refuses to revive a terminated container that its policy does not restart', async () => {
      const { manager, pod: of } = await started(pod({ spec: { restartPolicy: 'Never' } }));
      manager.setPodStatus(of, running({ containerStatuses: [container({ state: { terminated: { exitCode: 0 } } })] }));
      manager.setPodStatus(of, running());
      expect(manager.getPodStatus('u1')?.containerStatuses?.[0]?.state?.terminated).toBeDefined();
    });

    it('makes the readiness conditions anew when a container becomes ready', async () => {
      const { manager, pod: of } = await started();
      manager.setPodStatus(of, running());
      manager.setContainerReadiness('u1', 'containerd://c1', true);
      const { conditions, containerStatuses } = manager.getPodStatus('u1') ?? {};
      expect(containerStatuses?.[0]?.ready).toBe(true);
      expect(conditions?.map(({ type, status }) => [type, status])).toEqual([
        ['Ready', 'True'],
        ['ContainersReady', 'True'],
      ]);
    });

    it('ignores results of containers and pods that it does not know', async () => {
      const { manager, changes, pod: of } = await started();
      manager.setPodStatus(of, running());
      manager.setContainerReadiness('u1', 'containerd://other', true);
      manager.setContainerStartup('nobody', 'containerd://c1', true);
      expect(changes).toEqual(['u1']);
    });

    it('ends everything that could still look alive when the pod is terminated', async () => {
      const { manager, pod: of } = await started();
      manager.setPodStatus(of, running());
      manager.terminatePod(of);
      const { phase, containerStatuses } = manager.getPodStatus('u1') ?? {};
      expect(phase).toBe('Failed');
      expect(containerStatuses?.[0]?.state?.terminated).toEqual({
        exitCode: 137,
        reason: 'ContainerStatusUnknown',
        message: 'The container could not be located when the pod was terminated',
      });
    });

    it('keeps the phase of a static pod that is terminated', async () => {
      const { manager, pod: of } = await started(
        pod({
          metadata: { annotations: { 'kubernetes.io/config.source': 'file' }, name: 'p', namespace: 'n', uid: 'u1' },
        }),
      );
      manager.setPodStatus(of, running());
      manager.terminatePod(of);
      expect(manager.getPodStatus('u1')?.phase).toBe('Running');
    });

    // Static pods, because no other source has their statuses; those of API pods may come from their API objects.
    describe('after a restart', () => {
      async function restarted(
        of: Pod,
        ...statuses: readonly PodStatus[]
      ): Promise<readonly [StatusManager, PodStatus]> {
        const { manager, addPod, restart } = await create();
        addPod(of);
        await manager.start();
        for (const status of statuses) manager.setPodStatus(of, status);
        const before = manager.getPodStatus('u1') ?? {};
        return [await restart(), before];
      }
      const staticPod = pod({
        metadata: { annotations: { 'kubernetes.io/config.source': 'file' }, name: 'p', namespace: 'n', uid: 'u1' },
      });

      it('has the status that was accepted last', async () => {
        const status = running({ containerStatuses: [container({ ready: true, started: true, restartCount: 3 })] });
        const [manager, before] = await restarted(staticPod, status);
        expect(manager.getPodStatus('u1')).toEqual(before);
        expect(before.startTime).toBeDefined();
      });

      it('goes on with its times, and tells of the first status even if it is the same', async () => {
        const [manager, before] = await restarted(staticPod, running());
        const changes: PodStatus[] = [];
        manager.watch((_uid, status) => changes.push(status));
        manager.setPodStatus(staticPod, running());
        manager.setPodStatus(staticPod, running());
        expect(changes).toEqual([before]);
      });

      it('refuses to revive what was terminated before', async () => {
        const never = { ...staticPod, spec: { ...staticPod.spec, restartPolicy: 'Never' as const } };
        const ended = container({ state: { terminated: { exitCode: 0 } } });
        const [manager, before] = await restarted(never, running({ containerStatuses: [ended] }));
        manager.setPodStatus(never, running());
        expect(manager.getPodStatus('u1')).toEqual(before);
      });

      it('takes results of probes before the first status', async () => {
        const [manager] = await restarted(staticPod, running());
        manager.setContainerReadiness('u1', 'containerd://c1', true);
        expect(manager.getPodStatus('u1')?.containerStatuses?.[0]?.ready).toBe(true);
      });

      it('has no status of a pod that was refused', async () => {
        const [manager] = await restarted(pod(), {
          phase: 'Failed',
          reason: 'OutOfcpu',
          message: 'Pod was rejected: x',
        });
        expect(manager.getPodStatus('u1')).toBeUndefined();
      });

      it('keeps how a pod of the API has ended, but not how a static pod was ended', async () => {
        const failed = running({ phase: 'Failed', reason: 'Terminated', message: 'shutdown' });
        const [manager] = await restarted(pod(), failed);
        expect(manager.getPodStatus('u1')).toMatchObject({
          phase: 'Failed',
          reason: 'Terminated',
          message: 'shutdown',
        });
        const [again, before] = await restarted(staticPod, failed);
        const { phase, reason, message, ...rest } = before;
        expect([phase, reason, message]).toEqual(['Failed', 'Terminated', 'shutdown']);
        expect(again.getPodStatus('u1')).toEqual(rest);
      });

      it('keeps the phase of a static pod that had not ended', async () => {
        const [manager] = await restarted(staticPod, running());
        expect(manager.getPodStatus('u1')?.phase).toBe('Running');
      });

      it('leaves conditions of others to the API object', async () => {
        const conditions = ['example.com/gate', 'DisruptionTarget', 'Ready'].map((type) => ({ type, status: 'True' }));
        const [manager] = await restarted(staticPod, running({ conditions }));
        expect(manager.getPodStatus('u1')?.conditions?.map(({ type }) => type)).toEqual(['DisruptionTarget', 'Ready']);
      });

      it('knows nothing of pods that were forgotten', async () => {
        const { manager, addPod, restart } = await create();
        addPod(staticPod);
        await manager.start();
        manager.setPodStatus(staticPod, running());
        manager.removeOrphanedStatuses(new Set());
        expect((await restart()).getPodStatus('u1')).toBeUndefined();
      });
    });

    it('forgets pods that are gone', async () => {
      const { manager, pod: of } = await started();
      manager.setPodStatus(of, running());
      manager.removeOrphanedStatuses(new Set(['u1']));
      expect(manager.getPodStatus('u1')).toBeDefined();
      manager.removeOrphanedStatuses(new Set());
      expect(manager.getPodStatus('u1')).toBeUndefined();
    });
  });
}
