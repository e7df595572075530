import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeCgroupManagerContract } from '@podwright/cgroup-interface/contract';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { createCgroupfsManager } from './cgroupfs-manager.js';
import type { CgroupfsConfig } from './cgroupfs-config.js';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'cgroup-'));
});
afterAll(() => rm(base, { recursive: true }));

/** A cgroup v1 tree with two controllers beside a v2 one, all in a temporary directory. */
async function tree(config: Partial<CgroupfsConfig> = {}) {
  const root = await mkdtemp(path.join(base, 'tree-'));
  const mounts = ['cpu', 'memory', 'unified'].map((name) => path.join(root, name));
  for (const mount of mounts) await mkdir(mount);
  const mountInfoFile = path.join(root, 'mountinfo');
  const lines = mounts.map((mount, index) => {
    const type = mount.endsWith('unified') ? 'cgroup2 cgroup2 rw' : 'cgroup cgroup rw,cpu';
    return `3${index} 25 0:2${index} / ${mount} rw,nosuid shared:9 - ${type}`;
  });
  await writeFile(mountInfoFile, ['21 1 8:1 / / rw - ext4 /dev/sda1 rw', ...lines, ''].join('\n'));
  const clock = new VirtualClock();
  const manager = createCgroupfsManager(
    { clock, logger: createMemoryLogger() },
    { cgroupDriver: 'cgroupfs', cgroupRoot: '/', cgroupsPerQos: true, mountInfoFile, ...config },
  );
  return {
    manager,
    clock,
    mounts,
    create: async (cgroup: string) => {
      for (const mount of mounts) await mkdir(path.join(mount, cgroup), { recursive: true });
    },
    has: async (cgroup: string) => {
      const found = await Promise.all(
        mounts.map((mount) =>
          access(path.join(mount, cgroup)).then(
            () => true,
            () => false,
          ),
        ),
      );
      return found.some(Boolean);
    },
  };
}

for (const cgroupDriver of ['cgroupfs', 'systemd'] as const) {
  for (const cgroupRoot of ['/', '/some-node/part']) {
    describeCgroupManagerContract(`CgroupfsManager (${cgroupDriver}, root ${cgroupRoot})`, () =>
      tree({ cgroupDriver, cgroupRoot }),
    );
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
    const { manager } = await tree({ cgroupDriver });
    expect(manager.podCgroupParent(pod('1234-ab', qosClass))).toBe(expected);
  });

  it('gives the root as it is when QoS cgroups are off, and touches nothing then', async () => {
    const { manager, create, has } = await tree({ cgroupsPerQos: false, cgroupRoot: '/own' });
    await manager.start();
    await create('/own/kubepods/pod1');
    expect(manager.podCgroupParent(pod('1', 'Guaranteed'))).toBe('/own');
    await expect(manager.listPodUids()).resolves.toEqual([]);
    await manager.remove('1');
    await expect(has('/own/kubepods/pod1')).resolves.toBe(true);
  });

  it('sees pods of one hierarchy only, and no other directories', async () => {
    const { manager, mounts } = await tree();
    await manager.start();
    const [cpu = ''] = mounts;
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
    const { manager, mounts } = await tree({ cgroupDriver: 'systemd' });
    await manager.start();
    await mkdir(path.join(mounts[0] ?? '', 'kubepods.slice', 'cri-containerd-pod1.scope'), { recursive: true });
    await expect(manager.listPodUids()).resolves.toEqual([]);
  });

  it('refuses to start without the list of mounts', async () => {
    const { manager } = await tree({ mountInfoFile: path.join(base, 'missing') });
    await expect(manager.start()).rejects.toThrow('ENOENT');
  });

  it('reads the list of mounts of this machine', async () => {
    const { manager } = await tree({ mountInfoFile: '/proc/self/mountinfo' });
    expect(await readFile('/proc/self/mountinfo', 'utf8')).toContain(' - ');
    await expect(manager.start()).resolves.toBeUndefined();
  });
});
