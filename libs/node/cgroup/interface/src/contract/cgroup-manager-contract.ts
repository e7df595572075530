import { describe, expect, it } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import type { CgroupManager } from '../cgroup-manager.js';

/** A manager on hierarchies without pods, with QoS cgroups on. */
export interface CgroupManagerHarness {
  readonly manager: CgroupManager;
  /** False where the runtime creates pod cgroups together with the sandbox. */
  readonly makesPodCgroups: boolean;
  /** Creates a cgroup and its parents as a runtime does, from a path of {@link CgroupManager.podCgroupParent}. */
  create(cgroup: string): Promise<void>;
  /** True when any hierarchy has the cgroup. */
  has(cgroup: string): Promise<boolean>;
  /** Removes a cgroup without children from one of the hierarchies, of which there may be only one. */
  breakOne(cgroup: string): Promise<void>;
}

const resources = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } };
const pod = (uid: string, qos: 'Guaranteed' | 'Burstable' | 'BestEffort'): Pod => ({
  metadata: { name: uid, namespace: 'default', uid },
  spec: {
    containers: [
      {
        name: 'a',
        ...(qos === 'Guaranteed' && { resources }),
        ...(qos === 'Burstable' && { resources: { requests: { cpu: '1' } } }),
      },
    ],
  },
});
const pods = [pod('1234-ab', 'Guaranteed'), pod('1234-cd', 'Burstable'), pod('1234-ef', 'BestEffort')];

/** Every implementation of {@link CgroupManager} passes this suite; `create` gives a new instance per case. */
export function describeCgroupManagerContract(name: string, create: () => Promise<CgroupManagerHarness>): void {
  describe(`${name} as a CgroupManager`, () => {
    const started = async (): Promise<CgroupManagerHarness> => {
      const harness = await create();
      await harness.manager.start();
      return harness;
    };

    it('can be stopped before it was started, and twice', async () => {
      const { manager } = await create();
      await manager.stop();
      await manager.stop();
    });

    it('gives each pod a path of its own below the root, by its class', async () => {
      const { manager } = await started();
      const paths = pods.map((one) => manager.podCgroupParent(one));
      expect(new Set(paths).size).toBe(3);
      for (const path of paths) expect(path).toMatch(/^\/.*kubepods/);
      expect(paths[1]).toContain('burstable');
      expect(paths[2]).toContain('besteffort');
      expect(manager.podCgroupParent({ ...pods[2], status: { qosClass: 'Burstable' } } as Pod)).toContain('burstable');
    });

    it('finds the pods of all classes, and nothing else', async () => {
      const { manager, create: make } = await started();
      await expect(manager.listPodUids()).resolves.toEqual([]);
      for (const one of pods) await make(manager.podCgroupParent(one));
      expect([...(await manager.listPodUids())].sort()).toEqual(['1234-ab', '1234-cd', '1234-ef']);
    });

    it('removes a pod with everything below it, and only that pod', async () => {
      const { manager, create: make, has } = await started();
      for (const one of pods) {
        await make(`${manager.podCgroupParent(one)}/container/nested`);
      }
      await manager.remove('1234-cd', pods[1]);
      expect(await Promise.all(pods.map((one) => has(manager.podCgroupParent(one))))).toEqual([true, false, true]);
    });

    it('removes a pod of which only the UID is known', async () => {
      const { manager, create: make } = await started();
      for (const one of pods) await make(manager.podCgroupParent(one));
      for (const { metadata } of pods) await manager.remove(metadata.uid ?? '');
      await expect(manager.listPodUids()).resolves.toEqual([]);
    });

    it('takes a cgroup that is gone as removed', async () => {
      const { manager } = await started();
      await expect(manager.remove('nobody')).resolves.toBeUndefined();
    });

    it('makes the cgroup of a pod where that is its part, and gives it back', async () => {
      const { manager, makesPodCgroups, has } = await started();
      for (const one of pods) {
        const cgroup = manager.podCgroupParent(one);
        expect(await manager.exists(one)).toBe(!makesPodCgroups);
        await manager.ensureExists(one);
        expect(await has(cgroup)).toBe(makesPodCgroups);
        await expect(manager.exists(one)).resolves.toBe(true);
        await manager.remove(one.metadata.uid ?? '', one);
        expect(await has(cgroup)).toBe(false);
      }
    });

    it('takes what a runtime or an earlier run has made for existing', async () => {
      const { manager, create: make } = await started();
      for (const one of pods) {
        await make(manager.podCgroupParent(one));
        await expect(manager.exists(one)).resolves.toBe(true);
      }
    });

    it('misses a cgroup that one hierarchy lost, where it makes them, and completes it', async () => {
      const { manager, makesPodCgroups, create: make, breakOne } = await started();
      for (const one of pods) {
        await make(manager.podCgroupParent(one));
        await breakOne(manager.podCgroupParent(one));
        expect(await manager.exists(one)).toBe(!makesPodCgroups);
        await manager.ensureExists(one);
        await expect(manager.exists(one)).resolves.toBe(true);
      }
    });

    it('makes many at once', async () => {
      const { manager } = await started();
      const many = Array.from({ length: 8 }, (_, index) => pod(`many-${index}`, 'Burstable'));
      await Promise.all(many.map((one) => manager.ensureExists(one)));
      for (const one of many) await expect(manager.exists(one)).resolves.toBe(true);
      await Promise.all(many.map((one) => manager.remove(one.metadata.uid ?? '', one)));
      await expect(manager.listPodUids()).resolves.toEqual([]);
    });

    it('can make sure of a cgroup more than once', async () => {
      const { manager } = await started();
      for (const one of pods) {
        await manager.ensureExists(one);
        await manager.ensureExists(one);
        await expect(manager.exists(one)).resolves.toBe(true);
      }
    });
  });
}
