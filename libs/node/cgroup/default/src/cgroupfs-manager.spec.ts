import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  describeCgroupManagerContract,
  describePodCgroupResourcesContract,
} from '@podwright/cgroup-interface/contract';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { createCgroupfsManager } from './cgroupfs-manager.js';
import type { CgroupfsConfig } from './cgroupfs-config.js';
import { imitateCgroups, type ImitationOptions } from './fixtures/imitated-cgroups.js';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'cgroup-'));
});
afterAll(() => rm(base, { recursive: true }));

const defaults: CgroupfsConfig = {
  cgroupDriver: 'cgroupfs',
  cgroupRoot: '/',
  cgroupsPerQos: true,
  podPidsLimit: -1,
  cpuCfsQuota: true,
  cpuCfsQuotaPeriodMs: 100,
  podLevelResources: true,
  memoryQos: false,
  memoryReservationPolicy: 'None',
  mountInfoFile: '',
  hugePagesDir: '',
};

async function setUp(config: Partial<CgroupfsConfig> = {}, imitation: Partial<ImitationOptions> = {}) {
  const cgroups = await imitateCgroups(base, { version: 1, ...imitation });
  const { files, mountInfoFile, hugePagesDir } = cgroups;
  if (config.cgroupRoot !== undefined) await cgroups.create(config.cgroupRoot);
  const clock = new VirtualClock();
  const logger = createMemoryLogger();
  const all: CgroupfsConfig = { ...defaults, mountInfoFile, hugePagesDir, ...config };
  const manager = createCgroupfsManager({ clock, logger, files }, all);
  return { ...cgroups, manager, clock, logger, has: async (cgroup: string) => (await cgroups.count(cgroup)) > 0 };
}

for (const version of [1, 2] as const) {
  for (const cgroupDriver of ['cgroupfs', 'systemd'] as const) {
    for (const cgroupRoot of [(version === 1) === (cgroupDriver === 'cgroupfs') ? '/' : '/some-node/part']) {
      const name = `CgroupfsManager (v${version}, ${cgroupDriver}, root ${cgroupRoot})`;
      const harness = async () => {
        const set = await setUp({ cgroupDriver, cgroupRoot }, { version });
        const memory = version === 1 ? 'memory.usage_in_bytes' : 'memory.current';
        return {
          ...set,
          makesPodCgroups: cgroupDriver === 'cgroupfs',
          breakOne: (cgroup: string) =>
            set.files.removeDirectory(path.join(set.mounts[version === 1 ? 'pids' : 'unified'] ?? '', cgroup)),
          use: (cgroup: string, bytes: number) => set.set('memory', cgroup, memory, `${bytes}`),
        };
      };
      describeCgroupManagerContract(name, harness);
      describePodCgroupResourcesContract(name, harness);
    }
  }
}

const pod = (uid: string, qosClass: string): Pod => ({
  metadata: { uid },
  spec: { containers: [] },
  status: { qosClass },
});

describe('CgroupfsManager', () => {
  it.each([
    ['cgroupfs', 'Burstable', '/kubepods/burstable/pod1234-ab'],
    ['cgroupfs', 'BestEffort', '/kubepods/besteffort/pod1234-ab'],
    ['cgroupfs', 'Guaranteed', '/kubepods/pod1234-ab'],
    ['systemd', 'Burstable', '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1234_ab.slice'],
    ['systemd', 'BestEffort', '/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod1234_ab.slice'],
    ['systemd', 'Guaranteed', '/kubepods.slice/kubepods-pod1234_ab.slice'],
  ] as const)('names pods as upstream does: %s, %s', async (cgroupDriver, qosClass, expected) => {
    const { manager } = await setUp({ cgroupDriver });
    expect(manager.podCgroupParent(pod('1234-ab', qosClass))).toBe(expected);
  });

  it('gives the root as it is when QoS cgroups are off, and touches nothing then', async () => {
    const { manager, create, has } = await setUp({ cgroupsPerQos: false, cgroupRoot: '/own' });
    await manager.start();
    await create('/own/kubepods/pod1');
    expect(manager.podCgroupParent(pod('1', 'Guaranteed'))).toBe('/own');
    await expect(manager.listPodUids()).resolves.toEqual([]);
    await manager.remove('1');
    await expect(has('/own/kubepods/pod1')).resolves.toBe(true);
  });

  it('sees pods of one hierarchy only, and no other directories', async () => {
    const { manager, mounts } = await setUp();
    await manager.start();
    const { cpu = '' } = mounts;
    for (const name of [
      'pod1',
      'burstable/pod2',
      'burstable/podpod3',
      'burstable/pod',
      'besteffort/xpod4',
      'crio-conmon',
    ]) {
      await mkdir(path.join(cpu, 'kubepods', name), { recursive: true });
    }
    await writeFile(path.join(cpu, 'kubepods', 'pod-file'), '');
    expect([...(await manager.listPodUids())].sort()).toEqual(['1', '2']);
  });

  it('does not take scopes of systemd for pods', async () => {
    const { manager, mounts } = await setUp({ cgroupDriver: 'systemd' });
    await manager.start();
    await mkdir(path.join(mounts['cpu'] ?? '', 'kubepods.slice', 'cri-containerd-pod1.scope'), { recursive: true });
    await expect(manager.listPodUids()).resolves.toEqual([]);
  });

  it('refuses to start without the list of mounts', async () => {
    const { manager } = await setUp({ mountInfoFile: path.join(base, 'missing') });
    await expect(manager.start()).rejects.toThrow('ENOENT');
  });

  it('reads the list of mounts of this machine', async () => {
    const { manager } = await setUp({ mountInfoFile: '/proc/self/mountinfo' });
    expect(await readFile('/proc/self/mountinfo', 'utf8')).toContain(' - ');
    await expect(manager.start()).resolves.toBeUndefined();
  });
});
