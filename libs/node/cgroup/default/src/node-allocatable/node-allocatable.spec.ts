import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cgroupHierarchies, hugePageSizes } from '@podwright/cgroup-files';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { imitateCgroups, type ImitationOptions } from '../fixtures/imitated-cgroups.js';
import { kubeCgroupConfig, type KubeCgroupConfig } from '../kube-cgroup-config.js';
import { openCgroupTree } from '../open-cgroup-tree.js';
import { existingCgroup, NodeAllocatableEnforcer } from './node-allocatable-enforcer.js';
import { readNodeCapacity } from './node-limits.js';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'allocatable-'));
});
afterAll(() => rm(base, { recursive: true }));

const gi = 2 ** 30;
const mi = 2 ** 20;

async function setUp(config: Partial<KubeCgroupConfig> = {}, imitation: Partial<ImitationOptions> = {}) {
  const cgroups = await imitateCgroups(base, { version: 1, ...imitation });
  const tree = openCgroupTree(cgroups.files, await cgroupHierarchies(cgroups.mountInfoFile));
  if (tree === undefined) throw new Error('no hierarchies');
  for (const cgroup of ['/kubepods', '/system']) {
    await cgroups.create(`${cgroup}/any`);
  }
  const decoded = kubeCgroupConfig.decode(config);
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.faults));
  const clock = new VirtualClock();
  const events: string[] = [];
  const recorder = {
    event: (...[, type, reason, message]: readonly unknown[]) => void events.push(`${type} ${reason} ${message}`),
  };
  const refused: string[] = [];
  const enforcer = new NodeAllocatableEnforcer(
    { tree, clock, logger: createMemoryLogger(), events: recorder, onRefused: ({ file }) => void refused.push(file) },
    {
      cgroup: '/kubepods',
      internalName: '/kubepods',
      cgroupDriver: 'cgroupfs',
      capacity: await readNodeCapacity(cgroups.hostRoot),
      hugePageSizes: await hugePageSizes(cgroups.hugePagesDir),
      config: decoded.value,
    },
  );
  const value = (cgroup: string, file: string): Promise<string> =>
    cgroups.value(file.split('.')[0] ?? '', cgroup, file);
  return { ...cgroups, enforcer, clock, events, refused, value };
}

const reserved = {
  systemReserved: { cpu: '500m', memory: '1Gi', pid: '1000', 'hugepages-2Mi': '4Mi' },
  kubeReserved: { cpu: '250m', memory: '512Mi', pid: '500' },
};
const limited = 'Normal NodeAllocatableEnforced Updated Node Allocatable limit across pods';

describe('node allocatable', () => {
  it.each<[string, Partial<KubeCgroupConfig>, object]>([
    ['all of the node without reservations', {}, { memoryLimitBytes: 8 * gi, cpuShares: 4096, pidsLimit: 32_768 }],
    [
      'what neither has reserved',
      reserved,
      { memoryLimitBytes: 6.5 * gi, cpuShares: 3328, pidsLimit: 31_268, hugePageBytes: { '2MB': 28n * BigInt(mi) } },
    ],
    ['CPUs by number in the place of amounts', { ...reserved, reservedSystemCpus: '0,2' }, { cpuShares: 2048 }],
    [
      'all of the node when pods are not limited',
      { ...reserved, enforceNodeAllocatable: ['none'] },
      { memoryLimitBytes: 8 * gi, cpuShares: 4096, hugePageBytes: { '2MB': 32n * BigInt(mi) } },
    ],
    ['nothing below zero', { systemReserved: { memory: '9Gi', cpu: '9' } }, { memoryLimitBytes: 0, cpuShares: 2 }],
    ['all CPUs', {}, { cpus: '0-3' }],
    ['CPUs only by the manager that gives them out', { cpuManagerPolicy: 'static' }, { cpus: undefined }],
  ])('is %s', async (_, config, expected) => {
    const { enforcer } = await setUp(config);
    const { hugePageBytes, ...limits } = enforcer.podLimits();
    expect({ cpus: undefined, ...limits, hugePageBytes: Object.fromEntries(hugePageBytes ?? []) }).toMatchObject(
      expected,
    );
  });

  it.each<[1 | 2, Readonly<Record<string, string>>]>([
    [
      1,
      {
        'memory.limit_in_bytes': `${6.5 * gi}`,
        'cpu.shares': '3328',
        'pids.max': '31268',
        'hugetlb.2MB.limit_in_bytes': `${28 * mi}`,
        'hugetlb.1GB.limit_in_bytes': '0',
        'cpuset.cpus': '0-3',
      },
    ],
    [2, { 'memory.max': `${6.5 * gi}`, 'cpu.weight': '127', 'pids.max': '31268', 'hugetlb.2MB.max': `${28 * mi}` }],
  ])('is written for all pods together, v%d', async (version, expected) => {
    const { enforcer, events, value } = await setUp(reserved, { version });
    await enforcer.start();
    for (const [file, content] of Object.entries(expected)) expect(await value('/kubepods', file)).toBe(content);
    expect(events).toEqual([limited]);
    await enforcer.stop();
    await enforcer.stop();
  });

  it('is tried again each minute while pods use more', async () => {
    let code: string | undefined = 'EBUSY';
    const refuse = (file: string): string | undefined => (file.endsWith('limit_in_bytes') ? code : undefined);
    const { enforcer, clock, events } = await setUp({}, { refuse });
    await enforcer.start();
    expect(events).toEqual([
      expect.stringMatching(
        /^Warning FailedNodeAllocatableEnforcement Failed to update Node Allocatable Limits \["kubepods"\]: EBUSY/,
      ),
    ]);
    await clock.advance(61_000);
    expect(events).toHaveLength(2);
    code = undefined;
    await clock.advance(61_000);
    expect(events.at(-1)).toBe(limited);
    await clock.advance(300_000);
    expect(events).toHaveLength(3);
    await enforcer.stop();
  });

  it('does not wait for what it has no right to', async () => {
    const refuse = (file: string): string | undefined => (file.endsWith('pids.max') ? 'EPERM' : undefined);
    const { enforcer, clock, events, refused, value } = await setUp({}, { refuse });
    await enforcer.start();
    await clock.advance(300_000);
    expect(refused).toEqual(['pids.max']);
    expect(events).toEqual([expect.stringContaining('Warning FailedNodeAllocatableEnforcement')]);
    expect(await value('/kubepods', 'cpu.shares')).toBe('4096');
    await enforcer.stop();
  });

  it.each<['system' | 'kube', boolean, string, string]>([
    ['system', false, `${gi}`, '1000'],
    ['kube', false, `${512 * mi}`, '500'],
    ['system', true, '9223372036854771712', 'max'],
    ['kube', true, '9223372036854771712', 'max'],
  ])(
    'holds what is reserved for the %s in its bounds, compressible only: %s',
    async (who, compressible, memory, pids) => {
      const { enforcer, events, value } = await setUp({
        ...reserved,
        enforceNodeAllocatable: ['pods', `${who}-reserved${compressible ? '-compressible' : ''}`],
        [`${who}ReservedCgroup`]: '/system',
      });
      await enforcer.start();
      expect(await value('/system', 'memory.limit_in_bytes')).toBe(memory);
      expect(await value('/system', 'pids.max')).toBe(pids);
      expect(await value('/system', 'cpu.shares')).toBe(who === 'system' ? '512' : '256');
      expect(events.at(-1)).toBe(`Normal NodeAllocatableEnforced Updated limits on ${who} reserved cgroup /system`);
      await enforcer.stop();
    },
  );

  it('protects the memory that is reserved, gate MemoryQoS', async () => {
    const config = { ...reserved, enforceNodeAllocatable: ['system-reserved'], systemReservedCgroup: '/system' };
    const { enforcer, value } = await setUp({ ...config, memoryQos: true }, { version: 2 });
    await enforcer.start();
    expect(await value('/system', 'memory.min')).toBe(`${gi}`);
    await enforcer.stop();
  });

  it('does not start where what is reserved has no cgroup', async () => {
    const { enforcer, events } = await setUp({
      ...reserved,
      enforceNodeAllocatable: ['kube-reserved'],
      kubeReservedCgroup: '/nowhere',
    });
    const message =
      /^Failed to enforce Kube Reserved Cgroup Limits on "\/nowhere": cgroup \["nowhere"\] has some missing paths: /;
    await expect(enforcer.start()).rejects.toThrow(message);
    expect(events.at(-1)).toMatch(/^Warning FailedNodeAllocatableEnforcement Failed to enforce Kube Reserved Cgroup/);
    await enforcer.stop();
  });

  it('does not start where a cgroup is to be held in bounds of nothing', async () => {
    const { enforcer, events } = await setUp({
      enforceNodeAllocatable: ['system-reserved'],
      systemReservedCgroup: '/system',
    });
    const message =
      'Failed to enforce System Reserved Cgroup Limits on "/system": ["system"] cgroup is not configured properly';
    await expect(enforcer.start()).rejects.toThrow(message);
    expect(events.at(-1)).toBe(`Warning FailedNodeAllocatableEnforcement ${message}`);
    await enforcer.stop();
  });

  it.each([
    ['cgroupfs', '/system.slice', '/system.slice'],
    ['cgroupfs', 'a/b', '/a/b'],
    ['systemd', '/system.slice', '/system.slice'],
    ['systemd', 'podruntime-parts.slice', '/podruntime.slice/podruntime-parts.slice'],
    ['systemd', '/a.slice/a-b_c.slice', '/a.slice/a-b_c.slice'],
  ] as const)('%s finds %s at %s', (driver, name, expected) => {
    expect(existingCgroup(driver, name)).toBe(expected);
  });
});
