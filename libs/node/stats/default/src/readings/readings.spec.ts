import { describe, expect, it } from '@jest/globals';
import type { CgroupSample } from '@podwright/cgroup-stats-interface';
import { bytes, fakePod, ns, sample, startMs } from '../fixtures/fake-node.js';
import { CgroupIndex } from './cgroup-index.js';
import { cpuOf, ioOf, memoryOf, networkOf, swapOf } from './from-cgroup.js';
import { criContainerStats, criPressure } from './from-cri.js';
import { UsageNanoCores } from './usage-nano-cores.js';
import { newerTime, wireTime, withWholeSeconds } from './wire-time.js';

const limited = (limits: CgroupSample['limits']): CgroupSample => sample('/x', { limits });
const mi = 2 ** 20;

describe('readings of cgroups', () => {
  it.each([
    ['without a limit nothing is said', undefined, undefined],
    ['what the limit leaves', 20 * mi, 12 * mi],
    ['the largest limit that is one', 2 ** 62, 2 ** 62 - 8 * mi],
    ['a limit above it is none', 2 ** 63, undefined],
    ['usage above the limit leaves nothing', mi, 0],
  ])('available memory: %s', (_what, memoryLimit, expected) => {
    expect(memoryOf(limited(memoryLimit === undefined ? {} : { memoryLimit })).availableBytes).toBe(expected);
  });

  it('available swap: as memory', () => {
    expect(swapOf(limited({}))).toEqual({ time: wireTime(startMs - 500), swapUsageBytes: mi });
    expect(swapOf(limited({ memorySwapLimit: 3 * mi }))?.swapAvailableBytes).toBe(2 * mi);
  });

  it('without its controller a part is zero, or missing', () => {
    const { path, timeMs, createdMs } = sample('/x');
    const bare = { path, timeMs, createdMs, limits: {} };
    const time = wireTime(timeMs);
    expect(cpuOf(bare)).toEqual({ time, usageNanoCores: 0, usageCoreNanoSeconds: 0 });
    expect(memoryOf(bare)).toEqual({ time, workingSetBytes: 0 });
    expect([swapOf(bare), ioOf(bare), networkOf(bare)]).toEqual([undefined, undefined, undefined]);
  });

  it('nanocores are not said at the first reading', () => {
    expect(Object.keys(cpuOf(sample('/x', { cpu: { usageNs: 1 } })))).toEqual(['time', 'usageCoreNanoSeconds']);
  });

  it('are found by the id of a container with any driver and runtime, and not those of what watches it', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
    const paths = [
      '/kubepods/pod1',
      `/kubepods/pod1/${a}`,
      `/kubepods/pod1/crio-${b}`,
      `/kubepods.slice/kubepods-pod2_x.slice/crio-${c}.scope`,
      `/kubepods.slice/kubepods-pod2_x.slice/crio-conmon-${c}.scope`,
      '/kubepods.slice/kubepods-pod2_x.slice',
    ];
    const index = new CgroupIndex(paths.map((path) => sample(path)));
    expect([a, b, c].map((id) => index.container(id ?? '')?.path)).toEqual(paths.slice(1, 4));
    expect(['1', '2-x'].map((uid) => index.pod(uid)?.path)).toEqual([paths[0], paths[5]]);
  });

  it('the default interface is eth0, and without it the name is empty', () => {
    const other = {
      rxBytes: 1,
      rxPackets: 0,
      rxErrors: 2,
      rxDropped: 0,
      txBytes: 3,
      txPackets: 0,
      txErrors: 4,
      txDropped: 0,
    };
    const shown = { rxBytes: 1, rxErrors: 2, txBytes: 3, txErrors: 4 };
    const time = wireTime(startMs - 500);
    expect(networkOf(sample('/x', { network: [{ name: 'ens3', ...other }] }))).toEqual({
      time,
      name: '',
      interfaces: [{ name: 'ens3', ...shown }],
    });
    expect(networkOf(sample('/x', { network: [{ name: 'eth0', ...other }] }))).toMatchObject({
      name: 'eth0',
      ...shown,
    });
  });

  it.each([
    ['cgroupfs', '/kubepods/burstable/podab-cd', '/kubepods/burstable/podab-cd/c1'],
    [
      'systemd',
      '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podab_cd.slice',
      '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podab_cd.slice/cri-containerd-c1.scope',
    ],
  ])('pods and containers are found whatever the driver: %s', (_driver, pod, container) => {
    const index = new CgroupIndex([sample('/'), sample(pod), sample(container)]);
    expect(index.pod('ab-cd')?.path).toBe(pod);
    expect(index.container('c1')?.path).toBe(container);
    expect([index.pod('x'), index.container('x')]).toEqual([undefined, undefined]);
  });
});

describe('readings of the runtime', () => {
  const { stats } = fakePod('web');
  const nothing = { ...stats, cpu: undefined, memory: undefined, writableLayer: undefined };
  const now = wireTime(startMs);

  it('what the runtime leaves out altogether is zero, now', () => {
    const full = criContainerStats(nothing, 0n, { form: 'full', nowMs: startMs });
    expect(full).toEqual({
      name: 'app',
      startTime: wireTime(0),
      cpu: { time: now, usageNanoCores: 0, usageCoreNanoSeconds: 0 },
      memory: { time: now, usageBytes: 0, workingSetBytes: 0, rssBytes: 0 },
      io: { time: now },
      swap: { time: now, swapAvailableBytes: 0, swapUsageBytes: 0 },
    });
    const reduced = criContainerStats(nothing, 0n, { form: 'reduced', nowMs: startMs });
    expect(reduced).not.toHaveProperty('io');
    expect(reduced.memory).toMatchObject({ availableBytes: 0, pageFaults: 0, majorPageFaults: 0 });
  });

  it('single numbers that are missing are zero in the reduced form alone', () => {
    expect(criContainerStats(stats, 0n, { form: 'full', nowMs: startMs }).memory).not.toHaveProperty('availableBytes');
    expect(criContainerStats(stats, 0n, { form: 'reduced', nowMs: startMs }).memory?.availableBytes).toBe(0);
  });

  it('pressure that is told in part is zero in the rest', () => {
    const Full = { Total: 5n, Avg10: 1, Avg60: 2, Avg300: 3 };
    expect(criPressure({ Full, Some: undefined })).toEqual({
      full: { total: 5, avg10: 1, avg60: 2, avg300: 3 },
      some: { total: 0, avg10: 0, avg60: 0, avg300: 0 },
    });
    expect(criPressure(undefined)).toBeUndefined();
  });

  it('nanocores: two readings, a counter that fell, a reading twice, and ten minutes', () => {
    const usage = new UsageNanoCores();
    const at = (ms: number, usageNs: number): typeof stats => ({
      ...stats,
      cpu: { timestamp: ns(ms), usageCoreNanoSeconds: bytes(usageNs), usageNanoCores: undefined, psi: undefined },
    });
    expect(usage.update(at(0, 0))).toBeUndefined();
    expect(usage.update(at(2_000, 1e9))).toBe(500_000_000);
    expect(usage.update(at(2_000, 1e9))).toBe(500_000_000);
    expect(usage.get(at(3_000, 9e9))).toBe(500_000_000);
    expect(usage.update(at(4_000, 5))).toBeUndefined();
    expect(usage.update(at(5_000, 5))).toBe(0);
    usage.forgetOld(605_000);
    expect(usage.get(at(0, 0))).toBe(0);
    usage.forgetOld(605_001);
    expect(usage.get(at(0, 0))).toBeUndefined();
    const told = {
      ...stats,
      cpu: {
        ...at(0, 0).cpu,
        timestamp: 0n,
        usageCoreNanoSeconds: undefined,
        usageNanoCores: bytes(3),
        psi: undefined,
      },
    };
    expect([usage.get(told), usage.update(told)]).toEqual([3, 3]);
  });

  it('times are compared with fractions, and printed without', () => {
    expect(newerTime(wireTime(1), wireTime(2))).toBe(wireTime(2));
    expect(withWholeSeconds({ time: wireTime(1_999), name: '1.5Z', deep: [{ startTime: wireTime(5) }] })).toEqual({
      time: '1970-01-01T00:00:01Z',
      name: '1.5Z',
      deep: [{ startTime: '1970-01-01T00:00:00Z' }],
    });
  });

  it('numbers that readers refuse become the next ones that they take', () => {
    const numbers = { time: wireTime(0), usedBytes: 3 * 2 ** 64, capacityBytes: -7, inodes: 5, psi: { avg10: 0.25 } };
    const printed = JSON.stringify(withWholeSeconds(numbers));
    expect(JSON.parse(printed)).toMatchObject({ capacityBytes: 0, inodes: 5, psi: { avg10: 0.25 } });
    const used = BigInt(/"usedBytes":(\d+)/.exec(printed)?.[1] ?? 0);
    expect([used > 2n ** 62n, used < 2n ** 64n]).toEqual([true, true]);
  });
});
