import { describe, expect, it } from '@podwright/contract';
import { configSourceAnnotation, type Pod, type PodStatus } from '@podwright/kube-types';
import type { Preemption } from '../preemption.js';

/** One fresh instance, and what it did to the pods of its node. */
export interface PreemptionHarness {
  readonly preemption: Preemption;
  /** Names of the pods that it has killed or tried to kill, in order. */
  readonly ended: readonly string[];
  /** Status of each of them: the status override of the kill, applied to a running pod's status. */
  readonly statuses: ReadonlyMap<string, PodStatus>;
}

/** Creates an instance on a node where `pods` are active and those named in `stubborn` cannot be killed. */
export type CreatePreemption = (pods: readonly Pod[], stubborn?: readonly string[]) => Promise<PreemptionHarness>;

type Requests = Readonly<Record<string, string>>;
const pod = (name: string, requests: Requests = {}, part: Partial<Pod['spec']> = {}, limits?: Requests): Pod => ({
  metadata: { name, namespace: 'default', uid: `uid-${name}`, generation: 3 },
  spec: { containers: [{ name: 'c', resources: { requests, ...(limits && { limits }) } }], ...part },
});
const guaranteed = (name: string, requests: Requests, part?: Partial<Pod['spec']>): Pod =>
  pod(name, requests, part, requests);
const staticPod = (name: string, requests?: Requests): Pod => ({
  ...pod(name, requests),
  metadata: { name, uid: `uid-${name}`, annotations: { [configSourceAnnotation]: 'file' } },
});
const critical = { priority: 2_000_000_000 };
const milli = (missing: bigint) => [{ resource: 'cpu', missing }];

/** Every implementation of {@link Preemption} passes this suite. */
export function describePreemptionContract(name: string, create: CreatePreemption): void {
  describe(`${name} as a Preemption`, () => {
    it('ends nothing when nothing is missing', async () => {
      const { preemption, ended } = await create([pod('a', { cpu: '1' })]);
      await preemption.evictPodsToFreeRequests(staticPod('new'), []);
      expect(ended).toEqual([]);
    });

    it('ends one pod that is enough', async () => {
      const { preemption, ended } = await create([pod('small', { cpu: '100m' }), pod('big', { cpu: '500m' })]);
      await preemption.evictPodsToFreeRequests(staticPod('new'), milli(300n));
      expect(ended).toEqual(['big']);
    });

    it('says why a pod was ended', async () => {
      const { preemption, statuses } = await create([pod('a', { cpu: '1' })]);
      await preemption.evictPodsToFreeRequests(staticPod('new'), milli(300n));
      const status = statuses.get('a');
      expect(status).toMatchObject({
        phase: 'Failed',
        reason: 'Preempting',
        message: 'Preempted in order to admit critical pod',
      });
      expect(status?.conditions?.find(({ type }) => type === 'DisruptionTarget')).toMatchObject({
        status: 'True',
        reason: 'TerminationByKubelet',
        message: 'Pod was preempted by Kubelet to accommodate a critical pod.',
        observedGeneration: 3,
      });
    });

    it.each<[string, readonly Pod[], string]>([
      ['critical pods', [pod('a', { cpu: '1' }, critical), staticPod('b', { cpu: '1' })], '300'],
      ['too small pods', [pod('a', { cpu: '100m' }), pod('b', { cpu: '100m' })], '100'],
      ['no pods', [], '300'],
    ])('rejects and ends nothing when there are only %s', async (_name, pods, short) => {
      const { preemption, ended } = await create(pods);
      await expect(preemption.evictPodsToFreeRequests(staticPod('new'), milli(300n))).rejects.toThrow(
        'preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: ' +
          `[(res: cpu, q: ${short}), ]`,
      );
      expect(ended).toEqual([]);
    });

    it('ends a critical pod of lower priority', async () => {
      const { preemption, ended } = await create([
        pod('higher', { cpu: '1' }, { priority: 2_000_001_000 }),
        pod('lower', { cpu: '1' }, critical),
      ]);
      await preemption.evictPodsToFreeRequests(pod('new', {}, { priority: 2_000_000_500 }), milli(300n));
      expect(ended).toEqual(['lower']);
    });

    it('spares Guaranteed pods, then Burstable ones', async () => {
      const pods = [guaranteed('g', { cpu: '1', memory: '1Gi' }), pod('b', { cpu: '1', memory: '1Gi' }), pod('be')];
      const { preemption, ended } = await create(pods);
      await preemption.evictPodsToFreeRequests(staticPod('new'), milli(1_000n));
      expect(ended).toEqual(['b']);
      const other = await create(pods);
      await other.preemption.evictPodsToFreeRequests(staticPod('new'), milli(1_500n));
      expect(other.ended).toEqual(['b', 'g']);
      const places = await create(pods);
      await places.preemption.evictPodsToFreeRequests(staticPod('new'), [{ resource: 'pods', missing: 1n }]);
      expect(places.ended).toEqual(['be']);
    });

    it('skips a pod that cannot be ended', async () => {
      const { preemption, ended, statuses } = await create([pod('a', { cpu: '1' }), pod('b', { cpu: '1' })], ['a']);
      await preemption.evictPodsToFreeRequests(staticPod('new'), milli(2_000n));
      expect([...ended].sort()).toEqual(['a', 'b']);
      expect(statuses.has('b')).toBe(true);
    });
  });
}
