import { describe, expect, it } from '@jest/globals';
import type { ContainerStatus, Pod, PodStatus } from '@podwright/kube-types';
import type { StatusManager } from '../status-manager.js';

export interface StatusManagerHarness {
  readonly manager: StatusManager;
  /** Makes the pod known to whatever the manager asks about pods, with its mirror pod when given. */
  addPod(pod: Pod, mirrorPod?: Pod): void;
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

/** What every status manager has to do, with or without an API server behind it. */
export function describeStatusManagerContract(name: string, create: () => Promise<StatusManagerHarness>): void {
  describe(`${name} as a StatusManager`, () => {
    async function started(
      of = pod(),
    ): Promise<{ readonly manager: StatusManager; readonly changes: string[]; readonly pod: Pod }> {
      const { manager, addPod } = await create();
      addPod(of);
      await manager.start();
      const changes: string[] = [];
      manager.watch((uid) => changes.push(uid));
      return { manager, changes, pod: of };
    }

    it('keeps the newest status and tells of each change once', async () => {
      const { manager, changes, pod: of } = await started();
      expect(manager.getPodStatus('u1')).toBeUndefined();
      manager.setPodStatus(of, running());
      manager.setPodStatus(of, running());
      expect(manager.getPodStatus('u1')?.phase).toBe('Running');
      expect(changes).toEqual(['u1']);
      await manager.stop();
      await manager.stop();
    });

    it('stamps a start time once', async () => {
      const { manager, pod: of } = await started();
      manager.setPodStatus(of, running());
      const first = manager.getPodStatus('u1')?.startTime;
      expect(first).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      manager.setPodStatus(of, running({ phase: 'Failed' }));
      expect(manager.getPodStatus('u1')?.startTime).toBe(first);
    });

    it('moves the transition time only when the value of a condition changes', async () => {
      const { manager, pod: of } = await started();
      const time = (): string | undefined =>
        manager.getPodStatus('u1')?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
      manager.setPodStatus(of, running());
      const first = time();
      expect(first).toBeDefined();
      manager.setPodStatus(of, running({ conditions: [{ type: 'Ready', status: 'False', reason: 'other' }] }));
      expect(time()).toBe(first);
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
