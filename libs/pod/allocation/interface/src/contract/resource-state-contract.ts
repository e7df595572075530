import { describe, expect, it } from '@podwright/contract';
import type { ActuatedResources, AllocatedResources } from '../resource-state.js';
import { cpuOf, podAskingFor } from './contract-pod.js';

/** One disk, and instances that use it one after the other; created, not started. */
export interface ResourceStateHarness {
  createAllocated(): AllocatedResources;
  createActuated(): ActuatedResources;
  /** Makes the next writes fail until called with false. */
  breakDisk(broken: boolean): Promise<void>;
}

/** Every implementation of {@link AllocatedResources} and {@link ActuatedResources} passes this suite. */
export function describeResourceStateContract(name: string, create: () => Promise<ResourceStateHarness>): void {
  describe(`${name} as AllocatedResources`, () => {
    const started = async (harness: ResourceStateHarness): Promise<AllocatedResources> => {
      const allocated = harness.createAllocated();
      await allocated.start();
      return allocated;
    };

    it('can be stopped before it was started, and twice', async () => {
      const allocated = (await create()).createAllocated();
      await allocated.stop();
      await allocated.stop();
    });

    it('knows nothing of a pod that was never stored, and leaves it as it is', async () => {
      const allocated = await started(await create());
      const pod = podAskingFor('a', '1');
      expect(allocated.of('uid-a')).toBeUndefined();
      expect(allocated.withAllocation(pod)).toBe(pod);
    });

    it('shows what was stored at once, and another process does too', async () => {
      const harness = await create();
      const allocated = await started(harness);
      const stored = allocated.store(podAskingFor('a', '1'));
      expect(allocated.of('uid-a')).toEqual({ containers: { main: cpuOf('1') } });
      await stored;
      expect((await started(harness)).of('uid-a')).toEqual({ containers: { main: cpuOf('1') } });
    });

    it('keeps what was granted when the spec asks for something else', async () => {
      const allocated = await started(await create());
      const granted = podAskingFor('a', '1');
      await allocated.store(granted);
      expect(allocated.withAllocation(granted)).toBe(granted);
      const same = podAskingFor('a', '1000m');
      expect(allocated.withAllocation(same)).toBe(same);
      const wish = podAskingFor('a', '2');
      expect(allocated.withAllocation(wish).spec.containers[0]?.resources).toEqual(cpuOf('1'));
      expect(wish.spec.containers[0]?.resources).toEqual(cpuOf('2'));
    });

    it('covers sidecars and the pod level', async () => {
      const allocated = await started(await create());
      const sidecar = { name: 'side', image: 's', restartPolicy: 'Always' } as const;
      const spec = (cpu: string) => ({
        initContainers: [{ ...sidecar, resources: cpuOf(cpu) }],
        resources: { limits: { memory: cpu } },
      });
      await allocated.store(podAskingFor('a', '1', spec('1')));
      const pod = allocated.withAllocation(podAskingFor('a', '1', spec('2')));
      expect(pod.spec.initContainers?.[0]?.resources).toEqual(cpuOf('1'));
      expect(pod.spec.resources).toEqual({ limits: { memory: '1' } });
    });

    it('forgets removed pods and orphans, also on the disk', async () => {
      const harness = await create();
      const allocated = await started(harness);
      await Promise.all(['a', 'b', 'c'].map((each) => allocated.store(podAskingFor(each, '1'))));
      const known = (state: AllocatedResources): readonly string[] =>
        ['uid-a', 'uid-b', 'uid-c'].filter((uid) => state.of(uid) !== undefined);
      await allocated.remove('uid-a');
      await allocated.remove('uid-never-seen');
      for (const state of [allocated, await started(harness)]) expect(known(state)).toEqual(['uid-b', 'uid-c']);
      await allocated.removeOrphans(new Set(['uid-c']));
      for (const state of [allocated, await started(harness)]) expect(known(state)).toEqual(['uid-c']);
    });

    it('gives the old allocation back when the disk refuses the new one, and keeps a first one', async () => {
      const harness = await create();
      const allocated = await started(harness);
      await allocated.store(podAskingFor('a', '1'));
      await harness.breakDisk(true);
      await expect(allocated.store(podAskingFor('a', '2'))).rejects.toThrow();
      await expect(allocated.store(podAskingFor('b', '3'))).rejects.toThrow();
      expect(allocated.of('uid-a')).toEqual({ containers: { main: cpuOf('1') } });
      expect(allocated.of('uid-b')).toEqual({ containers: { main: cpuOf('3') } });
      await harness.breakDisk(false);
      await allocated.store(podAskingFor('c', '4'));
      expect((await started(harness)).of('uid-b')).toEqual({ containers: { main: cpuOf('3') } });
    });

    it('takes off the disk with the next look for orphans what the disk refused to lose', async () => {
      const harness = await create();
      const allocated = await started(harness);
      await allocated.store(podAskingFor('a', '1'));
      await harness.breakDisk(true);
      await expect(allocated.remove('uid-a')).rejects.toThrow();
      await harness.breakDisk(false);
      await allocated.removeOrphans(new Set());
      expect((await started(harness)).of('uid-a')).toBeUndefined();
    });

    it('has written everything when it has stopped', async () => {
      const harness = await create();
      const allocated = await started(harness);
      void allocated.store(podAskingFor('a', '1'));
      await allocated.stop();
      expect((await started(harness)).of('uid-a')).toBeDefined();
    });
  });

  describe(`${name} as ActuatedResources`, () => {
    it('keeps containers and the pod level apart, and outlives the process', async () => {
      const harness = await create();
      const actuated = harness.createActuated();
      await actuated.start();
      await Promise.all([
        actuated.setContainer('p', 'a', cpuOf('1')),
        actuated.setContainer('p', 'b', cpuOf('2')),
        actuated.setPod('p', cpuOf('3')),
      ]);
      await actuated.setContainer('p', 'a', cpuOf('4'));
      const again = harness.createActuated();
      await again.start();
      for (const state of [actuated, again]) {
        expect(state.of('p')).toEqual({ containers: { a: cpuOf('4'), b: cpuOf('2') }, pod: cpuOf('3') });
      }
      await again.remove('p');
      expect(again.of('p')).toBeUndefined();
    });

    it('shares nothing with the allocations', async () => {
      const harness = await create();
      const [allocated, actuated] = [harness.createAllocated(), harness.createActuated()];
      await allocated.start();
      await actuated.start();
      await allocated.store(podAskingFor('a', '1'));
      expect(actuated.of('uid-a')).toBeUndefined();
    });
  });
}
