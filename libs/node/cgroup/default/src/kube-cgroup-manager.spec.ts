import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { managerSetUp } from './fixtures/manager-set-up.js';
import { createKubeCgroupManager } from './kube-cgroup-manager.module.js';

const setUp = managerSetUp();

const pod = (uid: string, qosClass: string): Pod => ({
  metadata: { uid },
  spec: { containers: [] },
  status: { qosClass },
});

describe('KubeCgroupManager', () => {
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

  it('leaves the parent to the runtime when QoS cgroups are off, and touches nothing then', async () => {
    const { manager, create, has } = await setUp({ cgroupsPerQos: false, cgroupRoot: '/own' });
    await manager.start();
    await create('/own/kubepods/pod1');
    expect(manager.podCgroupParent(pod('1', 'Guaranteed'))).toBe('');
    await expect(manager.listPodUids()).resolves.toEqual([]);
    await manager.remove('1');
    await expect(has('/own/kubepods/pod1')).resolves.toBe(true);
  });

  it.each([1, 2] as const)('times what it does to cgroups of v%d', async (version) => {
    const { manager, metrics } = await setUp({}, { version });
    await manager.start();
    await manager.ensureExists(pod('1', 'Guaranteed'));
    await manager.remove('1');
    const text = await metrics.render();
    expect(text).toContain(`kubelet_cgroup_version ${version}\n`);
    for (const operation of ['create', 'update', 'destroy'])
      expect(text).toMatch(new RegExp(`^kubelet_cgroup_manager_duration_seconds_count.*${operation}"} [1-9]`, 'm'));
    await manager.stop();
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
    const { manager } = await setUp({ mountInfoFile: '/nonexistent/mountinfo' });
    await expect(manager.start()).rejects.toThrow('ENOENT');
  });

  const limited: Pod = {
    metadata: { uid: '1' },
    spec: { containers: [{ name: 'a', resources: { requests: { cpu: '1' }, limits: { cpu: '2', memory: '64Mi' } } }] },
  };
  const cgroup = '/kubepods/burstable/pod1';

  it.each<[1 | 2, Readonly<Record<string, string>>]>([
    [
      1,
      {
        'cpu.shares': '1024',
        'cpu.cfs_quota_us': '200000',
        'cpu.cfs_period_us': '100000',
        'memory.limit_in_bytes': '67108864',
        'pids.max': '100',
        'hugetlb.2MB.limit_in_bytes': '0',
        'cpuset.cpus': '0-3',
      },
    ],
    [
      2,
      {
        'cpu.weight': '39',
        'cpu.max': '200000 100000',
        'memory.max': '67108864',
        'pids.max': '100',
        'hugetlb.1GB.max': '0',
        'hugetlb.1GB.rsvd.max': '0',
      },
    ],
  ])('gives a pod its values, v%d', async (version, expected) => {
    const { manager, value } = await setUp({ podPidsLimit: 100 }, { version });
    await manager.start();
    await manager.ensureExists(limited);
    const found = Object.keys(expected).map(async (file) => [
      file,
      await value(file.split('.')[0] ?? '', cgroup, file),
    ]);
    expect(Object.fromEntries(await Promise.all(found))).toEqual(expected);
    await manager.stop();
  });

  it.each<[1 | 2, number]>([
    [1, 24],
    [2, 8],
  ])('costs a pod few file operations, v%d', async (version, makes) => {
    const { manager, operations } = await setUp({ podPidsLimit: 100 }, { version });
    await manager.start();
    await manager.ensureExists({ ...limited, metadata: { uid: '0' } });
    operations.length = 0;
    const next = pod('2', 'BestEffort');
    await manager.exists(next);
    expect(operations).toEqual(['exists']);
    await manager.ensureExists(next);
    expect(operations.length - 1).toBeLessThanOrEqual(makes);
    await manager.stop();
  });

  it.each(['EACCES', 'EPERM', 'EROFS'])('leaves pod cgroups to the runtime when it may make none: %s', async (code) => {
    const { manager, logger } = await setUp({}, { refuse: (file) => (file.includes('kubepods') ? code : undefined) });
    await manager.start();
    await expect(manager.exists(limited)).resolves.toBe(true);
    await manager.ensureExists(limited);
    await manager.remove('1');
    expect(logger.messages('warning')).toHaveLength(1);
    await manager.stop();
  });

  it('does not start when the classes cannot be made for another reason', async () => {
    const { manager } = await setUp({}, { refuse: (file) => (file.endsWith('kubepods') ? 'ENOSPC' : undefined) });
    await expect(manager.start()).rejects.toMatchObject({ code: 'ENOSPC' });
  });

  it('counts a pod as existing without controllers that nobody passes on, and says so once', async () => {
    const { manager, logger, value } = await setUp(
      {},
      { version: 2, undelegated: ['cpu', 'cpuset', 'pids', 'hugetlb'] },
    );
    await manager.start();
    await manager.ensureExists(limited);
    await expect(manager.exists(limited)).resolves.toBe(true);
    expect(await value('memory', cgroup, 'memory.max')).toBe('67108864');
    expect(logger.messages('warning')).toHaveLength(1);
    await manager.stop();
  });

  it('says once what the kernel refuses, and starts pods without it', async () => {
    const refuse = (file: string): string | undefined => (file.endsWith('pids.max') ? 'EPERM' : undefined);
    const { manager, logger, value } = await setUp({ podPidsLimit: 5 }, { refuse });
    await manager.start();
    await manager.ensureExists(limited);
    await manager.ensureExists({ ...limited, metadata: { uid: '2' } });
    expect(await value('cpu', cgroup, 'cpu.shares')).toBe('1024');
    expect(logger.messages('warning')).toHaveLength(1);
    await manager.stop();
  });

  it('takes back what it made for a pod whose values the kernel does not take', async () => {
    const refuse = (file: string): string | undefined =>
      file.endsWith('pod1/memory.limit_in_bytes') ? 'EINVAL' : undefined;
    const { manager, has } = await setUp({}, { refuse });
    await manager.start();
    await expect(manager.ensureExists(limited)).rejects.toThrow(
      'failed to create container for [kubepods burstable pod1] : EINVAL',
    );
    expect(await has(cgroup)).toBe(false);
    await expect(manager.exists(limited)).resolves.toBe(false);
    await manager.stop();
  });

  it.each([1, 2] as const)(
    'writes the values of an empty cgroup that an earlier kubelet made, not of one in use, v%d',
    async (version) => {
      const { manager, create, value } = await setUp({}, { version });
      await manager.start();
      const file = version === 1 ? 'memory.limit_in_bytes' : 'memory.max';
      const other = { ...limited, metadata: { uid: '2' } };
      await create(cgroup);
      await create(manager.podCgroupParent(other));
      await create(`${manager.podCgroupParent(other)}/container`);
      const untouched = await value('memory', manager.podCgroupParent(other), file);
      await expect(manager.exists(limited)).resolves.toBe(true);
      await expect(manager.exists(other)).resolves.toBe(true);
      expect(await value('memory', cgroup, file)).toBe('67108864');
      expect(await value('memory', manager.podCgroupParent(other), file)).toBe(untouched);
      await manager.stop();
    },
  );

  it.each<[1 | 2, RegExp]>([
    [1, /^invalid configuration: cgroup \["own" "part"\] has some missing paths: .*cpu,cpuacct\/own\/part, /],
    [2, /^invalid configuration: could not read controllers for cgroup \["own" "part"\]: open .*: no such file/],
  ])('does not start without its root, v%d', async (version, message) => {
    const set = await setUp({}, { version });
    const { mountInfoFile, hostRoot } = set;
    const config = { mountInfoFile, hostRoot, cgroupRoot: '/own/part' };
    const { clock, logger, files } = set;
    const manager = createKubeCgroupManager({ clock, logger, files }, config);
    await expect(manager.start()).rejects.toThrow(message);
  });

  it('puts the classes right every minute', async () => {
    const { manager, clock, set, value } = await setUp();
    await manager.start();
    await manager.ensureExists(limited);
    await set('cpu', '/kubepods/burstable', 'cpu.shares', '7');
    await clock.advance(59_000);
    expect(await value('cpu', '/kubepods/burstable', 'cpu.shares')).toBe('7');
    await clock.advance(2_000);
    await manager.stop();
    expect(await value('cpu', '/kubepods/burstable', 'cpu.shares')).toBe('1024');
  });

  it('weighs the class of Burstable pods by those that are there', async () => {
    const { manager, value } = await setUp();
    await manager.start();
    await manager.ensureExists(limited);
    await manager.ensureExists({ ...limited, metadata: { uid: '2' } });
    expect(await value('cpu', '/kubepods/burstable', 'cpu.shares')).toBe('2048');
    await manager.remove('1', limited);
    expect(await value('cpu', '/kubepods/burstable', 'cpu.shares')).toBe('1024');
    await manager.stop();
  });

  it('changes nothing where no hierarchy is mounted', async () => {
    const set = await setUp();
    await writeFile(set.mountInfoFile, '');
    await set.manager.start();
    await expect(set.manager.exists(limited)).resolves.toBe(true);
    await set.manager.ensureExists(limited);
    await set.manager.write(limited, { cpuShares: 2 });
    await expect(set.manager.read(limited)).resolves.toEqual({});
    await expect(set.manager.memoryUsageBytes(limited)).resolves.toBe(0);
    await set.manager.stop();
  });

  const slice = '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1.slice';
  const unit = 'kubepods-burstable-pod1.slice';

  it.each<[1 | 2, object]>([
    [1, { CPUShares: 1024n, MemoryLimit: 67_108_864n, CPUQuotaPerSecUSec: 2_000_000n, TasksMax: 100n }],
    [2, { CPUWeight: 39n, MemoryMax: 67_108_864n, CPUQuotaPerSecUSec: 2_000_000n, TasksMax: 100n }],
  ])('tells systemd the values of a pod and writes them as files, v%d', async (version, expected) => {
    const { manager, systemd, value } = await setUp({ cgroupDriver: 'systemd', podPidsLimit: 100 }, { version });
    await manager.start();
    await manager.ensureExists(limited);
    expect(systemd.calls).toEqual([
      'start kubepods.slice',
      'start kubepods-burstable.slice',
      'start kubepods-besteffort.slice',
      `start ${unit}`,
    ]);
    expect(Object.fromEntries(systemd.units.get(unit) ?? [])).toMatchObject({
      ...expected,
      CPUQuotaPeriodUSec: 100_000n,
      Wants: ['kubepods-burstable.slice'],
    });
    expect(systemd.property('kubepods.slice', 'Wants')).toEqual(['-.slice']);
    expect(systemd.property('kubepods.slice', 'AllowedCPUs')).toBe('0f');
    expect(systemd.property('kubepods.slice', 'TasksMax')).toBe(32_768n);
    expect(systemd.property('kubepods-besteffort.slice', version === 1 ? 'CPUShares' : 'CPUWeight')).toBe(
      version === 1 ? 2n : 1n,
    );
    expect(await value('pids', slice, 'pids.max')).toBe('100');
    expect(await value('hugetlb', slice, version === 1 ? 'hugetlb.2MB.limit_in_bytes' : 'hugetlb.2MB.max')).toBe('0');
    await manager.stop();
  });

  it('names cgroups that are slices by their internal names', async () => {
    const refuse = (file: string): string | undefined =>
      file.endsWith('pod1.slice/memory.max') ? 'EINVAL' : undefined;
    const { manager } = await setUp({ cgroupDriver: 'systemd' }, { version: 2, refuse });
    await manager.start();
    await expect(manager.ensureExists(limited)).rejects.toThrow(
      'failed to create container for [kubepods burstable pod1] : EINVAL',
    );
    await manager.stop();
    const reserved = { systemReserved: { cpu: '1' }, enforceNodeAllocatable: ['system-reserved'] };
    const missing = { ...reserved, systemReservedCgroup: '/no-where.slice', cgroupDriver: 'systemd' } as const;
    const { manager: other } = await setUp(missing);
    await expect(other.start()).rejects.toThrow('on "/no-where.slice": cgroup ["no" "where"] has some missing paths: ');
    await other.stop();
  });

  it('writes the quota that systemd rounds up to', async () => {
    const { manager, value } = await setUp({ cgroupDriver: 'systemd' }, { version: 2 });
    await manager.start();
    await manager.ensureExists(limited);
    await manager.write(limited, { cpuQuotaUs: 1_500, cpuPeriodUs: 100_000 });
    expect(await value('cpu', slice, 'cpu.max')).toBe('2000 100000');
    await manager.stop();
  });

  it('stops the slice of a pod before its cgroup is removed, and none that is not there', async () => {
    const { manager, systemd, has } = await setUp({ cgroupDriver: 'systemd' }, { version: 2 });
    await manager.start();
    await manager.ensureExists(limited);
    systemd.calls.length = 0;
    await manager.remove('1', limited);
    await manager.remove('nobody');
    expect(systemd.calls).toEqual([`stop ${unit}`]);
    expect(await has(slice)).toBe(false);
    await manager.stop();
  });

  it('takes the driver of the runtime for its own', async () => {
    const driver = { name: () => 'systemd' as const };
    const { manager, systemd } = await setUp({ cgroupDriver: 'cgroupfs' }, { version: 2 }, { driver });
    await manager.start();
    expect(manager.podCgroupParent(limited)).toBe(slice);
    expect(systemd.calls).toContain('start kubepods.slice');
    await manager.stop();
  });

  it('does not start where systemd is not there for its driver', async () => {
    const set = await setUp({}, { version: 2 });
    const { clock, logger, files, mountInfoFile, hostRoot, systemd } = set;
    systemd.startTransient = () => Promise.reject(new Error('no systemd'));
    const manager = createKubeCgroupManager(
      { clock, logger, files, systemd },
      { mountInfoFile, hostRoot, cgroupDriver: 'systemd' },
    );
    await expect(manager.start()).rejects.toThrow('no systemd');
    await manager.stop();
  });

  it.each([
    [true, '-1'],
    [false, '200000'],
  ])('sets no quota on CPUs that are the pod own: %s', async (podHas, quota) => {
    const { manager, value } = await setUp({}, {}, { exclusiveCpus: { podHas: () => podHas } });
    await manager.start();
    await manager.ensureExists(limited);
    expect(await value('cpu', cgroup, 'cpu.cfs_quota_us')).toBe(quota);
    expect(manager.resourcesOf(limited).cpuQuotaUs).toBe(Number(quota));
    await manager.stop();
  });

  it('weighs the class of Burstable pods by those that are active, where somebody knows', async () => {
    let active: readonly Pod[] = [limited];
    const { manager, value, clock } = await setUp({}, {}, { activePods: { list: () => active } });
    await manager.start();
    expect(await value('cpu', '/kubepods/burstable', 'cpu.shares')).toBe('1024');
    active = [limited, { ...limited, metadata: { uid: '2' } }];
    await manager.ensureExists(limited);
    expect(await value('cpu', '/kubepods/burstable', 'cpu.shares')).toBe('2048');
    active = [];
    await clock.advance(61_000);
    await manager.stop();
    expect(await value('cpu', '/kubepods/burstable', 'cpu.shares')).toBe('2');
  });

  it('keeps what Guaranteed and Burstable pods have requested from lower classes, gate QOSReserved', async () => {
    const request = { requests: { cpu: '1', memory: '1Gi' } };
    const burstable: Pod = { metadata: { uid: '3' }, spec: { containers: [{ name: 'a', resources: request }] } };
    const full = { cpu: '1', memory: '2Gi' };
    const guaranteed: Pod = {
      metadata: { uid: '4' },
      spec: { containers: [{ name: 'a', resources: { requests: full, limits: full } }] },
    };
    const activePods = { list: () => [burstable, guaranteed] };
    const options = { qosReservedMemoryPercent: 50, systemReserved: { memory: '1Gi' } };
    for (const [qosReserved, ofBurstable, ofBestEffort] of [
      [true, 6 * 2 ** 30, 5.5 * 2 ** 30],
      [false, 9_223_372_036_854_771_712n, 9_223_372_036_854_771_712n],
    ] as const) {
      const { manager, value } = await setUp({ ...options, qosReserved }, {}, { activePods });
      await manager.start();
      await manager.ensureExists(burstable);
      expect(await value('memory', '/kubepods/burstable', 'memory.limit_in_bytes')).toBe(`${ofBurstable}`);
      expect(await value('memory', '/kubepods/besteffort', 'memory.limit_in_bytes')).toBe(`${ofBestEffort}`);
      await manager.stop();
    }
  });

  it('sets a class to what it uses when that is more than is left for it', async () => {
    const full = { cpu: '1', memory: '2Gi' };
    const guaranteed: Pod = {
      metadata: { uid: '4' },
      spec: { containers: [{ name: 'a', resources: { requests: full, limits: full } }] },
    };
    let used = false;
    const refuse = (file: string): string | undefined => {
      const refused = !used && file.endsWith('besteffort/memory.limit_in_bytes');
      if (refused) used = true;
      return refused ? 'EBUSY' : undefined;
    };
    let active: readonly Pod[] = [];
    const { manager, value, set, clock } = await setUp(
      { qosReserved: true, qosReservedMemoryPercent: 100 },
      { refuse: (file) => (active.length > 0 ? refuse(file) : undefined) },
      { activePods: { list: () => active } },
    );
    await manager.start();
    await set('memory', '/kubepods/besteffort', 'memory.usage_in_bytes', `${7 * 2 ** 30}`);
    active = [guaranteed];
    await clock.advance(61_000);
    await manager.stop();
    expect(await value('memory', '/kubepods/besteffort', 'memory.limit_in_bytes')).toBe(`${7 * 2 ** 30}`);
    expect(await value('memory', '/kubepods/burstable', 'memory.limit_in_bytes')).toBe(`${6 * 2 ** 30}`);
  });

  it.each([
    ['TieredReservation', '6.7108864e+07'],
    ['None', '0'],
  ] as const)('counts the memory that is protected, policy %s', async (memoryReservationPolicy, low) => {
    const pods = [
      { metadata: { uid: '1' }, spec: { containers: [{ name: 'a', resources: { requests: { memory: '64Mi' } } }] } },
    ];
    const options = { memoryQos: true, memoryReservationPolicy };
    const { manager, metrics } = await setUp(options, { version: 2 }, { activePods: { list: () => pods } });
    await manager.start();
    const text = await metrics.render();
    expect(text).toContain('kubelet_memory_qos_node_memory_min_bytes 0\n');
    expect(text).toContain(`kubelet_memory_qos_node_memory_low_bytes ${low}\n`);
    await manager.stop();
    expect(await (await setUp()).metrics.render()).not.toContain('memory_qos');
  });

  it('takes its cgroups out of the balancing of load where CPUs are given out', async () => {
    const { manager, value } = await setUp({ cpuManagerPolicy: 'static' });
    await manager.start();
    await manager.ensureExists(limited);
    expect(await value('cpuset', cgroup, 'cpuset.sched_load_balance')).toBe('0');
    await manager.stop();
  });

  it('passes on to pods all controllers of v2 that there are', async () => {
    const { manager, value } = await setUp({}, { version: 2 });
    await manager.start();
    for (const parent of ['/', '/kubepods', '/kubepods/burstable', '/kubepods/besteffort'])
      expect(await value('io', parent, 'cgroup.subtree_control')).toBe('cpuset cpu io memory hugetlb pids rdma');
    await manager.stop();
  });

  it('limits the root where pods have no cgroups of their own', async () => {
    const { manager, value, events } = await setUp({ cgroupsPerQos: false, cgroupRoot: '/own' });
    await manager.start();
    expect(await value('cpu', '/own', 'cpu.shares')).toBe('4096');
    expect(events).toEqual([
      expect.stringMatching(/^Warning CgroupV1 /),
      'Normal NodeAllocatableEnforced Updated Node Allocatable limit across pods',
    ]);
    await manager.stop();
  });
});
