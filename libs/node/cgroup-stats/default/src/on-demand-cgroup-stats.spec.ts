import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CgroupSample } from '@podwright/cgroup-stats-interface';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { appendFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createOnDemandCgroupStats } from './cgroup-stats.module.js';
import { v1Container, v2Container } from './fixtures/cgroup-files.js';
import { FixtureHost, netDev, pressureFile } from './fixtures/fixture-host.js';
import type { OnDemandCgroupStatsConfig } from './on-demand-cgroup-stats-config.js';
import type { OnDemandCgroupStats } from './on-demand-cgroup-stats.js';

const id = 'a'.repeat(64);
const pod = '/kubepods/burstable/pod1';
const container = `${pod}/${id}`;

let host: FixtureHost;
let clock: VirtualClock;
const started = async (options: Partial<OnDemandCgroupStatsConfig> = {}): Promise<OnDemandCgroupStats> => {
  const stats = createOnDemandCgroupStats(
    { clock, logger: createMemoryLogger(0) },
    { hostRoot: host.root, ...options },
  );
  await stats.start();
  return stats;
};
const setUp = async (version: 1 | 2): Promise<void> => {
  host = await FixtureHost.create(version);
  clock = new VirtualClock();
};
afterEach(() => host.remove());

describe.each([1, 2] as const)('a container on cgroup v%i', (version) => {
  let stats: OnDemandCgroupStats;
  const sample = async (options = {}): Promise<CgroupSample | undefined> =>
    stats.sample(container, { maxAgeMs: 0, ...options });
  beforeEach(async () => {
    await setUp(version);
    await host.cgroup('/', version === 1 ? v1Container : v2Container);
    await host.cgroup(container, version === 1 ? v1Container : v2Container);
    stats = await started();
  });

  it('is read in full', async () => {
    const pressure = (someUs: number, fullUs: number): object =>
      version === 1
        ? {}
        : {
            pressure: {
              some: { totalUs: someUs, avg10: 1.5, avg60: 0.25, avg300: 0.01 },
              full: { totalUs: fullUs, avg10: 0.5, avg60: 0, avg300: 0 },
            },
          };
    expect(await sample()).toEqual({
      path: container,
      timeMs: clock.now(),
      createdMs: expect.any(Number),
      cpu: {
        usageNs: 5e9,
        userNs: 3e9,
        systemNs: 1.5e9,
        cfs: {
          periods: 40,
          throttledPeriods: 4,
          throttledNs: 2.5e9,
          // libcontainer does not read the bursts of v1.
          burstPeriods: version === 1 ? 0 : 1,
          burstNs: version === 1 ? 0 : 5000,
        },
        ...pressure(2e6, 1e6),
      },
      memory: {
        usage: 4000,
        workingSet: 3600,
        rss: 2000,
        cache: 1000,
        swap: 50,
        mappedFile: 100,
        totalActiveFile: 300,
        totalInactiveFile: 400,
        pageFaults: 77,
        majorPageFaults: 3,
        maxUsage: 9000,
        kernelUsage: version === 1 ? 600 : 0,
        failCount: version === 1 ? 2 : 0,
        oomKills: 6,
        ...pressure(4e6, 3e6),
      },
      io: {
        devices: [
          {
            major: 254,
            minor: 0,
            device: '/dev/vda',
            serviced: { Read: 3, Write: 4, ...(version === 1 && { Total: 7 }) },
            serviceBytes: { Read: 4096, Write: 8192, ...(version === 1 && { Total: 12288 }) },
            ...(version === 2 && { cost: { usageUs: 1.5e6 } }),
          },
        ],
        ...pressure(6e6, 5e6),
      },
      limits: {
        cpuShares: version === 1 ? 204 : 185,
        cpuQuotaUs: 50_000,
        cpuPeriodUs: 100_000,
        memoryLimit: 67_108_864,
        ...(version === 1 ? { memorySwapLimit: 134_217_728 } : { memoryReservation: 0 }),
        ...(version === 1 && { pidsLimit: 128 }),
      },
      processes: { count: 2, threads: 9 },
    });
  });

  it('is read with fewer files where that will do', async () => {
    const usage = await sample({ detail: 'usage' });
    expect(usage?.memory).toMatchObject({ workingSet: 3600, rss: 2000, swap: 50 });
    expect(usage?.memory?.maxUsage).toBeUndefined();
    expect(usage?.io?.devices).toBeUndefined();
    expect(usage?.processes).toEqual({ count: 2 });
    expect(usage?.limits.cpuShares).toBeUndefined();
    expect(usage?.limits.memoryLimit).toBe(67_108_864);
  });

  it.each<[string, Record<string, string>, object]>([
    [
      'without limits',
      version === 1
        ? {
            'memory.limit_in_bytes': '9223372036854771712',
            'memory.memsw.limit_in_bytes': '9223372036854771712',
            'cpu.cfs_quota_us': '-1',
            'pids.max': 'max',
          }
        : { 'memory.max': 'max', 'memory.min': 'max', 'cpu.max': 'max 100000', 'pids.max': 'max' },
      { limits: { cpuShares: version === 1 ? 204 : 185, cpuPeriodUs: 100_000 } },
    ],
    [
      'with more inactive pages than usage',
      { [version === 1 ? 'memory.usage_in_bytes' : 'memory.current']: '399' },
      { memory: { usage: 399, workingSet: 0 } },
    ],
    [
      'with negative numbers, which some kernels print',
      version === 1 ? { 'memory.stat': 'total_rss -4096\n' } : { 'memory.stat': 'anon -4096\n' },
      { memory: { rss: 0 } },
    ],
    ['without processes', { 'cgroup.procs': '' }, { processes: { count: 0 } }],
    ['of a kernel that writes nonsense', { 'pids.current': 'many' }, { processes: { threads: version === 1 ? 0 : 2 } }],
  ])('is read %s', async (_what, files, expected) => {
    await host.cgroup(container, files);
    const found = await sample();
    expect(found).toMatchObject(expected);
    if ('limits' in expected) {
      expect(found?.limits.memoryLimit).toBeUndefined();
      expect(found?.limits.cpuQuotaUs).toBeUndefined();
      expect(found?.limits.pidsLimit).toBeUndefined();
    }
  });

  it('has the interfaces of its network only when they are asked for, and none when a line is no line', async () => {
    await host.put({ 'proc/101/net/dev': netDev({ lo: 1, eth0: 500, veth12: 2, docker0: 3, nerdctl0: 4 }) });
    expect((await sample())?.network).toBeUndefined();
    const eth0 = { name: 'eth0', rxBytes: 500, rxPackets: 2, rxErrors: 3, rxDropped: 4 };
    expect((await sample({ network: true }))?.network).toEqual([
      { ...eth0, txBytes: 501, txPackets: 6, txErrors: 7, txDropped: 8 },
    ]);
    await appendFile(path.join(host.root, 'proc/101/net/dev'), '  eth1: 1 2\n');
    expect((await sample({ network: true }))?.network).toBeUndefined();
  });

  it('has the interfaces of another in the same network, or of one below, when it has no process itself', async () => {
    const sandbox = '/kubepods/pod2/crio-sandbox';
    await host.cgroup(sandbox, version === 1 ? v1Container : v2Container);
    await host.cgroup(sandbox, { 'cgroup.procs': '' });
    await host.cgroup('/kubepods/pod2/dead', { 'cgroup.procs': '' });
    await host.cgroup('/kubepods/pod2/app', { 'cgroup.procs': '' });
    await host.cgroup('/kubepods/pod2/app/container', { 'cgroup.procs': '101\n' });
    await host.put({ 'proc/101/net/dev': netDev({ eth0: 500 }) });
    const names = async (network: true | readonly string[]): Promise<readonly string[] | undefined> => {
      const found = await stats.sample(sandbox, { network, maxAgeMs: 0 });
      return found?.network?.map(({ name, rxBytes }) => `${name} ${rxBytes}`);
    };
    expect(await names(true)).toBeUndefined();
    expect(await names(['/kubepods/pod2/gone', '/../etc', '/kubepods/pod2/dead'])).toBeUndefined();
    expect(await names(['/kubepods/pod2/dead', '/kubepods/pod2/app'])).toEqual(['eth0 500']);
    await host.cgroup(sandbox, { 'cgroup.procs': '102\n' });
    await host.put({ 'proc/102/net/dev': netDev({ eth1: 7 }) });
    expect(await names(['/kubepods/pod2/app'])).toEqual(['eth1 7']);
  });

  it('is another one when it is made again under its name', async () => {
    const first = await sample();
    const hierarchy = version === 1 ? 'memory' : '';
    const directory = path.join(host.root, 'sys/fs/cgroup', hierarchy, container);
    // The old one stays in another place, so that its number is not given to the new one.
    await rename(directory, `${directory}-old`);
    await host.removeCgroup(container);
    await host.cgroup(container, version === 1 ? v1Container : v2Container);
    await host.cgroup(container, version === 1 ? { 'cpuacct.usage': '7' } : { 'cpu.stat': 'usage_usec 7' });
    await clock.advance(10_000);
    const second = await sample();
    expect(second?.createdMs).toBeGreaterThanOrEqual(first?.createdMs ?? 0);
    expect(second?.cpu?.usageNanoCores).toBeUndefined();
  });

  it('says what it is not told by leaving it out', async () => {
    await host.removeCgroup(container);
    await host.cgroup(container, {});
    expect(await sample()).toEqual({
      path: container,
      timeMs: clock.now(),
      createdMs: expect.any(Number),
      limits: version === 1 ? { cpuShares: 0, cpuPeriodUs: 0 } : { cpuShares: 0, cpuPeriodUs: 0 },
      ...(version === 1 && { io: { devices: [] } }),
    });
  });
});

describe('the machine', () => {
  it('is read once', async () => {
    await setUp(2);
    const mebibytes = { 'edac/mc/mc0/dimm0/size': '512', 'edac/mc/mc0/dimm1/size': '512' };
    for (const [name, text] of Object.entries(mebibytes)) await host.put({ [`sys/devices/system/${name}`]: text });
    await host.put({
      'sys/devices/system/edac/mc/mc0/dimm0/dimm_mem_type': 'Unbuffered-DDR4\n',
      'sys/devices/system/edac/mc/mc0/dimm1/dimm_mem_type': 'Unbuffered-DDR4\n',
    });
    expect((await started()).machine()).toEqual({
      cores: 2,
      physicalCores: 2,
      sockets: 1,
      memoryModules: [{ type: 'Unbuffered-DDR4', count: 2, bytes: 2 ** 30 }],
      memoryBytes: 8_000_000 * 1024,
      swapBytes: 200_000 * 1024,
      machineId: 'machine',
      systemUuid: 'uuid',
      bootId: 'boot',
      bootTimeMs: clock.now() - 1_000_000,
      kernelVersion: expect.any(String),
      osVersion: 'Debian GNU/Linux 12 (bookworm)',
      cgroupVersion: 2,
      pressure: true,
    });
  });

  it('booted when the kernel says, whatever its uptime', async () => {
    await setUp(2);
    await host.put({ 'proc/stat': 'cpu  1 2 3\nintr 5 0\nbtime 1699990000\nprocesses 7\n' });
    expect((await started()).machine().bootTimeMs).toBe(1_699_990_000_000);
  });

  it('has no pressure where the kernel has none, v1 is used, or the gate is off', async () => {
    await setUp(1);
    await host.put({ 'sys/fs/cgroup/unified/cpu.pressure': pressureFile(1, 1) });
    expect((await started()).machine().pressure).toBe(false);
    await host.remove();
    await setUp(2);
    expect((await started({ pressure: false })).machine().pressure).toBe(false);
  });

  it('has the swap of /proc/meminfo and the sum of its pages where v2 has no numbers of /', async () => {
    await setUp(2);
    await host.cgroup('/', {
      'memory.stat': 'anon 3000\nfile 2000\ninactive_file 500\n',
      'cpu.stat': 'usage_usec 1\n',
    });
    expect((await (await started()).sample('/'))?.memory).toMatchObject({
      usage: 5000,
      workingSet: 4500,
      swap: 50_000 * 1024,
    });
  });

  it('is not well without cgroups, and says so instead of failing', async () => {
    await setUp(2);
    await writeFile(path.join(host.root, 'proc/self/mountinfo'), '');
    const stats = await started();
    expect(stats.healthy()).toEqual({ ok: false, reason: 'no cgroup hierarchy is mounted' });
    expect(await stats.samples()).toEqual([]);
    expect(await stats.containerPath(id)).toBeUndefined();
  });
});
