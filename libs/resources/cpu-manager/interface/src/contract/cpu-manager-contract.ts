import { describe, expect, it } from '@podwright/contract';
import type { Container, Pod } from '@podwright/kube-types';
import type { CpuManager } from '../cpu-manager.js';

/** One fresh instance, not started, on a machine with CPUs 0 to 7, of which 0 is reserved; no CPU is assigned yet. */
export interface CpuManagerHarness {
  readonly cpus: CpuManager;
  /** Sets the active pods. */
  setActive(pods: readonly Pod[]): void;
}

const container = (name: string, cpu: string, guaranteed = true): Container => ({
  name,
  resources: { requests: { cpu, memory: '1Mi' }, ...(guaranteed && { limits: { cpu, memory: '1Mi' } }) },
});
const podOf = (name: string, ...containers: Container[]): Pod => ({
  metadata: { name, namespace: 'n', uid: `uid-${name}` },
  spec: { containers },
});

/** Every implementation of {@link CpuManager} that pins passes this suite; `create` gives a new instance per case. */
export function describeCpuManagerContract(name: string, create: () => Promise<CpuManagerHarness>): void {
  describe(`${name} as a CpuManager`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { cpus } = await create();
      await cpus.stop();
      await cpus.stop();
      expect(() => cpus.healthy()).not.toThrow();
    });

    it('gives whole CPUs to Guaranteed pods, each to one container, and takes them from the shared pool', async () => {
      const { cpus, setActive } = await create();
      await cpus.start();
      const [a, b] = [podOf('a', container('one', '2'), container('two', '1')), podOf('b', container('one', '3'))];
      setActive([a, b]);
      for (const pod of [a, b]) for (const one of pod.spec.containers) await cpus.allocate(pod, one);
      const sets = [
        cpus.exclusiveCpusOf('uid-a', 'one'),
        cpus.exclusiveCpusOf('uid-a', 'two'),
        cpus.exclusiveCpusOf('uid-b', 'one'),
      ];
      expect(sets.map(({ length }) => length)).toEqual([2, 1, 3]);
      const given = new Set(sets.flat());
      expect(given.size).toBe(6);
      expect(given.has(0)).toBe(false);
      expect(cpus.cpusOf('uid-a', 'one')).toEqual(sets[0]);
      const shared = cpus.cpusOf('uid-other', 'any') ?? [];
      expect(shared).toContain(0);
      expect(shared.filter((cpu) => given.has(cpu))).toEqual([]);
      expect(cpus.allocatableCpus()).toEqual([1, 2, 3, 4, 5, 6, 7]);
      await cpus.stop();
    });

    it.each([
      ['parts of a CPU', podOf('p', container('one', '1500m'))],
      ['less than its limit', podOf('p', container('one', '2', false))],
    ])('shares with a container that asks for %s', async (_, pod) => {
      const { cpus, setActive } = await create();
      await cpus.start();
      setActive([pod]);
      for (const one of pod.spec.containers) await cpus.allocate(pod, one);
      expect(cpus.exclusiveCpusOf('uid-p', 'one')).toEqual([]);
      expect(cpus.cpusOf('uid-p', 'one')).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      await cpus.stop();
    });

    it('gives the same again, and nothing when there is not enough', async () => {
      const { cpus, setActive } = await create();
      await cpus.start();
      const [small, large] = [podOf('small', container('one', '2')), podOf('large', container('one', '6'))];
      setActive([small, large]);
      const [one] = small.spec.containers as [Container];
      await cpus.allocate(small, one);
      const before = cpus.exclusiveCpusOf('uid-small', 'one');
      await cpus.allocate(small, one);
      expect(cpus.exclusiveCpusOf('uid-small', 'one')).toEqual(before);
      await expect(cpus.allocate(large, large.spec.containers[0] as Container)).rejects.toThrow('not enough cpus');
      expect(cpus.exclusiveCpusOf('uid-large', 'one')).toEqual([]);
      await cpus.stop();
    });

    it('takes back what pods hold that are not active any more', async () => {
      const { cpus, setActive } = await create();
      await cpus.start();
      const pod = podOf('a', container('one', '7'));
      setActive([pod]);
      await cpus.allocate(pod, pod.spec.containers[0] as Container);
      expect(cpus.cpusOf('uid-other', 'any')).toEqual([0]);
      cpus.releaseInactive();
      expect(cpus.exclusiveCpusOf('uid-a', 'one')).toHaveLength(7);
      setActive([]);
      cpus.releaseInactive();
      expect(cpus.exclusiveCpusOf('uid-a', 'one')).toEqual([]);
      expect(cpus.cpusOf('uid-other', 'any')).toHaveLength(8);
      await cpus.stop();
    });
  });
}
