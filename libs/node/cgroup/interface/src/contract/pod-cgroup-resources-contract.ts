import { describe, expect, it } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import type { CgroupManager } from '../cgroup-manager.js';
import type { PodCgroupCpuReduction, PodCgroupResourceControl } from '../pod-cgroup-resources.js';

/** A manager on hierarchies without pods, with QoS cgroups on, a CPU quota, and its usual period of 100 ms. */
export interface PodCgroupResourcesHarness {
  readonly manager: CgroupManager & PodCgroupResourceControl & Partial<PodCgroupCpuReduction>;
  /** Creates a cgroup and its parents, as a runtime does. */
  create(cgroup: string): Promise<void>;
  /** Sets the memory that a cgroup's processes use. */
  use(cgroup: string, bytes: number): Promise<void>;
}

const pod: Pod = {
  metadata: { name: 'a', namespace: 'default', uid: '1234-ab' },
  spec: {
    containers: [
      { name: 'a', resources: { requests: { cpu: '250m', memory: '64Mi' }, limits: { cpu: '500m', memory: '128Mi' } } },
    ],
  },
};
const wanted = { cpuShares: 256, cpuQuotaUs: 50_000, cpuPeriodUs: 100_000, memoryLimitBytes: 128 * 2 ** 20 };

// v2 has fewer weights than v1 has shares, so a read may give a little less than the write.
const nearly = (shares: number) => ({
  asymmetricMatch: (read: unknown) => typeof read === 'number' && read <= shares && read > shares - 27,
});

/** Every {@link PodCgroupResourceControl} passes this suite, with either version of cgroups. */
export function describePodCgroupResourcesContract(
  name: string,
  create: () => Promise<PodCgroupResourcesHarness>,
): void {
  describe(`${name} as a PodCgroupResourceControl`, () => {
    const started = async () => {
      const harness = await create();
      await harness.manager.start();
      const cgroup = harness.manager.podCgroupParent(pod);
      return { ...harness, cgroup };
    };

    it('tells what a pod asks for', async () => {
      const { manager } = await started();
      expect(manager.resourcesOf(pod)).toEqual(wanted);
      const bare: Pod = { ...pod, spec: { containers: [{ name: 'a' }] } };
      expect(manager.resourcesOf(bare)).toEqual({ cpuShares: 2 });
      await manager.stop();
    });

    it('reads what was written', async () => {
      const { manager, create: make, cgroup } = await started();
      await make(cgroup);
      await manager.write(pod, wanted);
      await expect(manager.read(pod)).resolves.toEqual({ ...wanted, cpuShares: nearly(wanted.cpuShares) });
      await manager.stop();
    });

    it('writes only what is given', async () => {
      const { manager, create: make, cgroup } = await started();
      await make(cgroup);
      await manager.write(pod, wanted);
      await manager.write(pod, { memoryLimitBytes: 2 ** 20 });
      await manager.write(pod, { cpuQuotaUs: 20_000 });
      await manager.write(pod, { cpuPeriodUs: 50_000 });
      await expect(manager.read(pod)).resolves.toEqual({
        cpuShares: nearly(wanted.cpuShares),
        cpuQuotaUs: 20_000,
        cpuPeriodUs: 50_000,
        memoryLimitBytes: 2 ** 20,
      });
      await manager.write(pod, { cpuShares: 1024 });
      await expect(manager.read(pod)).resolves.toMatchObject({ cpuQuotaUs: 20_000, cpuShares: nearly(1024) });
      await manager.stop();
    });

    it('lifts limits', async () => {
      const { manager, create: make, cgroup } = await started();
      await make(cgroup);
      await manager.write(pod, wanted);
      await manager.write(pod, { cpuQuotaUs: -1, memoryLimitBytes: -1 });
      await expect(manager.read(pod)).resolves.toMatchObject({ cpuQuotaUs: -1, memoryLimitBytes: -1 });
      await manager.stop();
    });

    it('misses a cgroup that is not there', async () => {
      const { manager } = await started();
      await expect(manager.read(pod)).rejects.toMatchObject({ code: 'not-found' });
      await expect(manager.write(pod, wanted)).rejects.toMatchObject({ code: 'not-found' });
      await expect(manager.memoryUsageBytes(pod)).rejects.toMatchObject({ code: 'not-found' });
      await manager.stop();
    });

    it('tells what the pod uses', async () => {
      const { manager, create: make, use, cgroup } = await started();
      await make(cgroup);
      await use(cgroup, 12_345_344);
      await expect(manager.memoryUsageBytes(pod)).resolves.toBe(12_345_344);
      await manager.stop();
    });

    it('leaves a pod that is gone the fewest shares, where it can', async () => {
      const { manager, create: make, cgroup } = await started();
      await manager.reduceCpu?.('nobody');
      await make(cgroup);
      await manager.write(pod, wanted);
      await manager.reduceCpu?.('1234-ab');
      const { cpuShares } = await manager.read(pod);
      expect(cpuShares).toEqual(nearly(manager.reduceCpu === undefined ? wanted.cpuShares : 2));
      await manager.stop();
    });
  });
}
