import { describe, expect, it } from '@podwright/contract';
import type { Container, Pod } from '@podwright/kube-types';
import type { MemoryManager } from '../memory-manager.js';

/** One fresh instance, not started, on a machine with NUMA nodes 0 and 1. Each has 1000 Mi to assign, all free. */
export interface MemoryManagerHarness {
  readonly memory: MemoryManager;
  /** Sets the active pods. */
  setActive(pods: readonly Pod[]): void;
}

const mi = 2 ** 20;
const container = (name: string, memory: string, guaranteed = true): Container => ({
  name,
  resources: { requests: { cpu: '1', memory }, ...(guaranteed && { limits: { cpu: '1', memory } }) },
});
const podOf = (name: string, ...containers: Container[]): Pod => ({
  metadata: { name, namespace: 'n', uid: `uid-${name}` },
  spec: { containers },
});

/**
 * Every implementation of {@link MemoryManager} that pins passes this suite; `create` gives a new instance per case.
 */
export function describeMemoryManagerContract(name: string, create: () => Promise<MemoryManagerHarness>): void {
  describe(`${name} as a MemoryManager`, () => {
    const admit = async ({ memory, setActive }: MemoryManagerHarness, ...pods: readonly Pod[]): Promise<void> => {
      setActive(pods);
      for (const pod of pods) for (const one of pod.spec.containers) await memory.allocate(pod, one);
    };

    it('can be stopped before it was started, and twice', async () => {
      const { memory } = await create();
      await memory.stop();
      await memory.stop();
      expect(() => memory.healthy()).not.toThrow();
    });

    it('gives Guaranteed pods memory of one node each as long as that has enough', async () => {
      const harness = await create();
      const { memory } = harness;
      await memory.start();
      await admit(harness, podOf('a', container('one', '800Mi')), podOf('b', container('one', '800Mi')));
      expect(memory.memoryOf('uid-a', 'one')).toEqual([{ numaNodes: [0], type: 'memory', bytes: 800 * mi }]);
      expect(memory.numaNodesOf('uid-a', 'one')).toEqual([0]);
      expect(memory.numaNodesOf('uid-b', 'one')).toEqual([1]);
      expect(memory.allocatableMemory()).toEqual([
        { numaNodes: [0], type: 'memory', bytes: 1000 * mi },
        { numaNodes: [1], type: 'memory', bytes: 1000 * mi },
      ]);
      await memory.stop();
    });

    it('gives more than one node has from both, which then serve nobody alone', async () => {
      const harness = await create();
      const { memory } = harness;
      await memory.start();
      await admit(harness, podOf('wide', container('one', '1500Mi')), podOf('small', container('one', '100Mi')));
      expect(memory.numaNodesOf('uid-wide', 'one')).toEqual([0, 1]);
      expect(memory.numaNodesOf('uid-small', 'one')).toEqual([0, 1]);
      await memory.stop();
    });

    it('leaves other pods alone, and refuses what it has not', async () => {
      const harness = await create();
      const { memory } = harness;
      await memory.start();
      await admit(harness, podOf('burstable', container('one', '100Mi', false)));
      expect(memory.numaNodesOf('uid-burstable', 'one')).toEqual([]);
      await expect(admit(harness, podOf('huge', container('one', '3000Mi')))).rejects.toThrow(
        '[memorymanager] failed to get the default NUMA affinity, no NUMA nodes with enough memory is available',
      );
      await memory.stop();
    });

    it('takes back what pods hold that are not active any more', async () => {
      const harness = await create();
      const { memory, setActive } = harness;
      await memory.start();
      const pod = podOf('a', container('one', '1900Mi'));
      await admit(harness, pod);
      await memory.allocate(pod, pod.spec.containers[0] as Container);
      memory.releaseInactive();
      expect(memory.memoryOf('uid-a', 'one')).toHaveLength(1);
      setActive([]);
      memory.releaseInactive();
      expect(memory.memoryOf('uid-a', 'one')).toEqual([]);
      await admit(harness, podOf('b', container('one', '900Mi')));
      expect(memory.numaNodesOf('uid-b', 'one')).toEqual([0]);
      await memory.stop();
    });
  });
}
