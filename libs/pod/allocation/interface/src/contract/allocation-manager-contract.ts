import { describe, expect, it } from '@podwright/contract';
import type { AdmissionResult } from '@podwright/admission-interface';
import type { Pod } from '@podwright/kube-types';
import type { AllocationManager } from '../allocation-manager.js';
import type { AllocatedResources } from '../resource-state.js';
import type { ResizeConditions } from '../resize-conditions.js';
import { podAskingFor } from './contract-pod.js';

/** A started manager on a node with four CPUs, and the managers that it works with. */
export interface AllocationManagerHarness {
  readonly manager: AllocationManager;
  readonly allocated: AllocatedResources;
  readonly conditions: ResizeConditions;
  /** Sets the pods that the sources deliver from now on; each counts as active. */
  want(...pods: readonly Pod[]): void;
  sourcesReady(ready: boolean): void;
  advance(ms: number): Promise<void>;
  /** `<reason> <pod>` of each event, oldest first. */
  readonly events: readonly string[];
}

/** Every implementation of {@link AllocationManager} passes this suite. */
export function describeAllocationManagerContract(name: string, create: () => Promise<AllocationManagerHarness>): void {
  const cpuIn = (harness: AllocationManagerHarness, pod: string): string | undefined =>
    harness.allocated.of(`uid-${pod}`)?.containers['main']?.requests?.['cpu'];
  const resize = async (harness: AllocationManagerHarness, before: Pod, after: Pod, others: Pod[] = []) => {
    harness.want(after, ...others);
    const waits = harness.manager.noticeUpdated(before, after);
    await harness.manager.retryPendingResizes('pod_updated');
    return waits;
  };

  const admit = async ({ manager }: AllocationManagerHarness, pod: Pod): Promise<AdmissionResult> => {
    const { result, stored } = await manager.admitPod(pod);
    await stored;
    return result;
  };

  describe(`${name} as an AllocationManager`, () => {
    it('stores what it admits, and nothing for a refused pod', async () => {
      const harness = await create();
      const [a, b] = [podAskingFor('a', '3'), podAskingFor('b', '2')];
      harness.want(a, b);
      const [first, second] = await Promise.all([admit(harness, a), admit(harness, b)]);
      expect(first).toEqual({ admit: true });
      expect(second).toMatchObject({ admit: false, reason: 'OutOfcpu' });
      expect(cpuIn(harness, 'a')).toBe('3');
      expect(cpuIn(harness, 'b')).toBeUndefined();
    });

    it('judges a pod that comes back by what it was granted', async () => {
      const harness = await create();
      await admit(harness, podAskingFor('a', '1'));
      const wish = podAskingFor('a', '100');
      harness.want(wish);
      await expect(admit(harness, wish)).resolves.toEqual({ admit: true });
      expect(cpuIn(harness, 'a')).toBe('1');
    });

    it('grants a resize that fits, and says that it began', async () => {
      const harness = await create();
      const told: string[] = [];
      harness.manager.watch((uid) => told.push(uid));
      const [before, after] = [podAskingFor('a', '1'), podAskingFor('a', '2', {}, 2)];
      await admit(harness, before);
      expect(await resize(harness, before, after)).toBe(true);
      expect(cpuIn(harness, 'a')).toBe('2');
      expect(harness.conditions.of('uid-a')).toMatchObject([{ type: 'PodResizeInProgress', observedGeneration: 2 }]);
      expect(harness.manager.hasPendingResize('uid-a')).toBe(false);
      expect(told).toEqual(['uid-a']);
      expect(harness.events).toEqual(['ResizeStarted a']);
    });

    it('defers a resize without room, tells it once, and grants it when there is room', async () => {
      const harness = await create();
      const [a, b] = [podAskingFor('a', '2'), podAskingFor('b', '2')];
      harness.want(a, b);
      await Promise.all([a, b].map((pod) => admit(harness, pod)));
      const wish = podAskingFor('a', '3', {}, 2);
      await resize(harness, a, wish, [b]);
      await harness.manager.retryPendingResizes('pods_removed');
      expect(cpuIn(harness, 'a')).toBe('2');
      expect(harness.manager.hasPendingResize('uid-a')).toBe(true);
      expect(harness.conditions.of('uid-a')).toMatchObject([{ type: 'PodResizePending', reason: 'Deferred' }]);
      harness.want(wish);
      harness.manager.removePod('uid-b');
      await harness.manager.retryPendingResizes('pods_removed');
      expect(cpuIn(harness, 'a')).toBe('3');
      expect(harness.events).toEqual(['ResizeDeferred a', 'ResizeStarted a']);
    });

    it('tries a deferred resize again by itself', async () => {
      const harness = await create();
      const [a, b] = [podAskingFor('a', '2'), podAskingFor('b', '2')];
      harness.want(a, b);
      await Promise.all([a, b].map((pod) => admit(harness, pod)));
      const wish = podAskingFor('a', '3', {}, 2);
      await resize(harness, a, wish, [b]);
      harness.want(wish);
      await harness.advance(180_000);
      expect(cpuIn(harness, 'a')).toBe('3');
    });

    it('queues also what is more than the node has', async () => {
      const harness = await create();
      const before = podAskingFor('a', '1');
      await admit(harness, before);
      await resize(harness, before, podAskingFor('a', '5', {}, 2));
      expect(harness.conditions.of('uid-a')).toMatchObject([{ type: 'PodResizePending', reason: 'Deferred' }]);
      expect(harness.manager.hasPendingResize('uid-a')).toBe(true);
      expect(harness.events).toEqual(['ResizeDeferred a']);
    });

    it('drops a resize that was taken back', async () => {
      const harness = await create();
      const before = podAskingFor('a', '1');
      await admit(harness, before);
      const wish = podAskingFor('a', '5', {}, 2);
      await resize(harness, before, wish);
      expect(await resize(harness, wish, podAskingFor('a', '1', {}, 3))).toBe(false);
      expect(harness.conditions.of('uid-a')).toEqual([]);
    });

    it('waits until all sources are ready', async () => {
      const harness = await create();
      const [before, after] = [podAskingFor('a', '1'), podAskingFor('a', '2', {}, 2)];
      await admit(harness, before);
      harness.sourcesReady(false);
      await resize(harness, before, after);
      expect(cpuIn(harness, 'a')).toBe('1');
      harness.sourcesReady(true);
      await harness.advance(30_000);
      expect(cpuIn(harness, 'a')).toBe('2');
    });

    it('finds resizes that were asked for while no kubelet ran', async () => {
      const harness = await create();
      await admit(harness, podAskingFor('a', '1'));
      const wish = podAskingFor('a', '2', {}, 2);
      harness.want(wish);
      await admit(harness, wish);
      expect(harness.manager.noticeAdded([wish])).toBe(true);
      await harness.manager.retryPendingResizes('pods_added');
      expect(cpuIn(harness, 'a')).toBe('2');
    });

    it('can be stopped twice, and tries nothing afterwards', async () => {
      const harness = await create();
      const [a, b] = [podAskingFor('a', '2'), podAskingFor('b', '2')];
      harness.want(a, b);
      await Promise.all([a, b].map((pod) => admit(harness, pod)));
      const wish = podAskingFor('a', '3', {}, 2);
      await resize(harness, a, wish, [b]);
      await harness.manager.stop();
      await harness.manager.stop();
      harness.want(wish);
      await harness.advance(180_000);
      expect(cpuIn(harness, 'a')).toBe('2');
    });
  });
}
