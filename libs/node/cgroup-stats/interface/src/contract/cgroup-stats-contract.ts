import { describe, expect, it } from '@podwright/contract';
import { hasCode } from '@podwright/errors';
import type { CgroupStats } from '../cgroup-stats.js';

/** One fresh instance, not started, on a machine whose `/` has cpu and memory. */
export interface CgroupStatsHarness {
  readonly stats: CgroupStats;
  /** Creates a cgroup, which has used some CPU time and memory, and its parents. */
  makeCgroup(cgroup: string): Promise<void>;
  removeCgroup(cgroup: string): Promise<void>;
  /** Sets the CPU time of a cgroup to its value after `makeCgroup` plus `ns`. */
  spendCpu(cgroup: string, ns: number): Promise<void>;
  /** Advances the clock. */
  advance(ms: number): Promise<void>;
}

const id = '0123456789abcdef'.repeat(4);

/** Every implementation of {@link CgroupStats} passes this suite; `create` gives a new instance per case. */
export function describeCgroupStatsContract(name: string, create: () => Promise<CgroupStatsHarness>): void {
  describe(`${name} as a CgroupStats`, () => {
    const startWithPod = async (): Promise<
      CgroupStatsHarness & { readonly pod: string; readonly container: string }
    > => {
      const harness = await create();
      await harness.stats.start();
      const pod = `${harness.stats.roots().pods}/burstable/pod1`;
      const container = `${pod}/${id}`;
      await harness.makeCgroup(container);
      return { ...harness, pod, container };
    };

    it('can be stopped before it was started, and twice', async () => {
      const { stats } = await create();
      await stats.stop();
      await stats.stop();
      expect(() => stats.healthy()).not.toThrow();
    });

    it('knows the machine once it is started', async () => {
      const { stats } = await create();
      let before: unknown;
      try {
        stats.machine();
      } catch (error) {
        before = error;
      }
      expect(hasCode(before, 'failed-precondition')).toBe(true);
      await stats.start();
      expect(stats.healthy()).toEqual({ ok: true });
      const { cores, memoryBytes, bootTimeMs } = stats.machine();
      expect([cores > 0, memoryBytes > 0, bootTimeMs > 0]).toEqual([true, true, true]);
      await stats.stop();
    });

    it('reads the machine as a whole at /, whose limits are what it has', async () => {
      const { stats } = await create();
      await stats.start();
      const root = await stats.sample('/');
      const { memoryBytes, swapBytes } = stats.machine();
      expect(root).toMatchObject({ path: '/', limits: { memoryLimit: memoryBytes, memorySwapLimit: swapBytes } });
      expect(root?.cpu?.usageNs).toBeGreaterThan(0);
      expect(root?.memory?.workingSet).toBeLessThanOrEqual(root?.memory?.usage ?? 0);
      expect(root?.network).toBeDefined();
      await stats.stop();
    });

    it.each(['/no/such/cgroup', 'kubepods', '', '/kubepods/../kubepods', '/kubepods/', '/../../etc'])(
      'has nothing at %j',
      async (cgroup) => {
        const { stats } = await startWithPod();
        expect(await stats.sample(cgroup)).toBeUndefined();
      },
    );

    it('lists the machine and then all cgroups of pods, those above others first', async () => {
      const { stats, pod, container } = await startWithPod();
      const paths = (await stats.samples()).map((sample) => sample.path);
      expect(paths[0]).toBe('/');
      expect(paths).toEqual(expect.arrayContaining([stats.roots().pods, pod, container]));
      expect(paths.indexOf(stats.roots().pods)).toBeLessThan(paths.indexOf(pod));
      expect(paths.indexOf(pod)).toBeLessThan(paths.indexOf(container));
    });

    it('answers with an old reading only as long as it may', async () => {
      const { stats, container, spendCpu, advance } = await startWithPod();
      const first = await stats.sample(container);
      await spendCpu(container, 1e9);
      await advance(5000);
      expect(await stats.sample(container)).toBe(first);
      expect((await stats.sample(container, { maxAgeMs: 4000 }))?.cpu?.usageNs).toBe((first?.cpu?.usageNs ?? 0) + 1e9);
      await spendCpu(container, 3e9);
      await advance(1);
      expect((await stats.sample(container, { maxAgeMs: 0 }))?.cpu?.usageNs).toBe((first?.cpu?.usageNs ?? 0) + 3e9);
    });

    it('reads once for all who ask at the same time', async () => {
      const { stats, container } = await startWithPod();
      const [first, second] = await Promise.all([stats.sample(container), stats.sample(container)]);
      expect(second).toBe(first);
      expect(await stats.samples()).toContain(first);
    });

    it('does not answer with half a reading where all was asked for', async () => {
      const { stats, container } = await startWithPod();
      const usage = await stats.sample(container, { detail: 'usage' });
      expect(usage?.cpu?.usageNs).toBeGreaterThan(0);
      expect(usage?.memory?.workingSet).toBeGreaterThanOrEqual(0);
      const full = await stats.sample(container);
      expect(full?.cpu?.userNs).toBeDefined();
      expect(full?.limits.cpuShares).toBeDefined();
      expect(await stats.sample(container, { detail: 'usage' })).toBe(full);
    });

    it('tells the rate of CPU time from the second reading on', async () => {
      const { stats, container, spendCpu, advance } = await startWithPod();
      expect((await stats.sample(container))?.cpu?.usageNanoCores).toBeUndefined();
      await spendCpu(container, 5e9);
      await advance(10_000);
      expect((await stats.sample(container, { maxAgeMs: 0 }))?.cpu?.usageNanoCores).toBe(5e8);
      // After an hour the last reading is too old for a rate.
      await advance(3_600_000);
      expect((await stats.sample(container, { maxAgeMs: 0 }))?.cpu?.usageNanoCores).toBeUndefined();
    });

    it('finds the cgroup of a container as long as it is there', async () => {
      const { stats, container, removeCgroup, advance } = await startWithPod();
      expect(await stats.containerPath(id)).toBe(container);
      expect(await stats.containerPath('f'.repeat(64))).toBeUndefined();
      expect(await stats.containerPath('')).toBeUndefined();
      expect(await stats.sample(container)).toBeDefined();
      expect((await stats.samples()).map((sample) => sample.path)).toContain(container);
      await removeCgroup(container);
      await advance(10_000);
      expect(await stats.containerPath(id)).toBeUndefined();
      expect(await stats.sample(container, { maxAgeMs: 0 })).toBeUndefined();
      expect((await stats.samples({ maxAgeMs: 0 })).map((sample) => sample.path)).not.toContain(container);
    });
  });
}
