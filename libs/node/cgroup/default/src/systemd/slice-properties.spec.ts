import { describe, expect, it } from '@jest/globals';
import { sharesToWeight } from '@podwright/cgroup-files';
import type { CgroupValues } from '../cgroup-values.js';
import { newSliceProperties, roundedQuota, valueProperties } from './slice-properties.js';
import type { UnitProperty } from './systemd-units.js';
import { systemdVersionOf } from './systemd-version.js';

const infinity = 18_446_744_073_709_551_615n;
const shown = (properties: readonly UnitProperty[]): object =>
  Object.fromEntries(
    properties.map(({ name, value }) => [name, Buffer.isBuffer(value) ? value.toString('hex') : value]),
  );

describe('properties of slices', () => {
  it.each([
    [1, 'BlockIOAccounting'],
    [2, 'IOAccounting'],
  ] as const)('a new one counts everything and starts by itself, v%d', (version, accounting) => {
    expect(shown(newSliceProperties('kubepods-burstable.slice', 'kubepods.slice', version))).toEqual({
      Description: 'libcontainer container kubepods-burstable.slice',
      Wants: ['kubepods.slice'],
      MemoryAccounting: true,
      CPUAccounting: true,
      [accounting]: true,
      TasksAccounting: true,
      DefaultDependencies: false,
    });
  });

  it.each<[string, CgroupValues, object, object]>([
    ['nothing', {}, {}, {}],
    ['memory', { memoryLimitBytes: 4096 }, { MemoryLimit: 4096n }, { MemoryMax: 4096n }],
    ['no limit of memory', { memoryLimitBytes: -1 }, { MemoryLimit: infinity }, { MemoryMax: infinity }],
    ['memory of 0, which says nothing', { memoryLimitBytes: 0 }, {}, {}],
    ['shares', { cpuShares: 1024 }, { CPUShares: 1024n }, { CPUWeight: 39n }],
    ['most shares', { cpuShares: 262_144 }, { CPUShares: 262_144n }, { CPUWeight: 10_000n }],
    ['processes', { pidsLimit: 100 }, { TasksMax: 100n }, { TasksMax: 100n }],
    ['no processes', { pidsLimit: 0 }, { TasksMax: 1n }, { TasksMax: 1n }],
    ['any processes', { pidsLimit: -1 }, { TasksMax: infinity }, { TasksMax: infinity }],
    ['CPUs', { cpus: '0-3,9' }, { AllowedCPUs: '0f02' }, { AllowedCPUs: '0f02' }],
    ['huge pages, for which there is none', { hugePageBytes: new Map([['2MB', 1n]]) }, {}, {}],
    [
      'files of v2',
      { unified: { 'memory.min': '0', 'memory.low': '7', 'memory.high': 'max', 'io.max': '1:0 rbps=1' } },
      {},
      { MemoryMin: 0n, MemoryLow: 7n, MemoryHigh: infinity },
    ],
  ])('%s', (_, values, v1, v2) => {
    expect(shown(valueProperties(values, 1, 252, sharesToWeight))).toEqual(v1);
    expect(shown(valueProperties(values, 2, 252, sharesToWeight))).toEqual(v2);
  });

  it.each<[CgroupValues, number, object]>([
    [{ cpuQuotaUs: 50_000, cpuPeriodUs: 100_000 }, 252, { CPUQuotaPeriodUSec: 100_000n, CPUQuotaPerSecUSec: 500_000n }],
    [{ cpuQuotaUs: 25_000, cpuPeriodUs: 50_000 }, 252, { CPUQuotaPeriodUSec: 50_000n, CPUQuotaPerSecUSec: 500_000n }],
    [{ cpuQuotaUs: 1_500, cpuPeriodUs: 100_000 }, 252, { CPUQuotaPeriodUSec: 100_000n, CPUQuotaPerSecUSec: 20_000n }],
    [{ cpuQuotaUs: 50_000 }, 252, { CPUQuotaPerSecUSec: 500_000n }],
    [{ cpuQuotaUs: -1, cpuPeriodUs: 100_000 }, 252, { CPUQuotaPeriodUSec: 100_000n, CPUQuotaPerSecUSec: infinity }],
    [{ cpuQuotaUs: -1 }, 252, { CPUQuotaPerSecUSec: infinity }],
    [{ cpuPeriodUs: 100_000 }, 241, { CPUQuotaPerSecUSec: infinity }],
    [{ cpus: '0' }, 243, {}],
  ])('%j of systemd %d', (values, version, expected) => {
    expect(shown(valueProperties(values, 2, version, sharesToWeight))).toEqual(expected);
  });

  it.each([
    [{ cpuQuotaUs: 1_500, cpuPeriodUs: 100_000 }, 2_000],
    [{ cpuQuotaUs: 33_333 }, 34_000],
    [{ cpuQuotaUs: 50_000, cpuPeriodUs: 100_000 }, 50_000],
    [{ cpuQuotaUs: 12_345, cpuPeriodUs: 50_000 }, 12_500],
    [{ cpuQuotaUs: -1 }, -1],
  ])('the quota %j is rounded up to %d, as systemd does', (values, expected) => {
    expect(roundedQuota(values).cpuQuotaUs).toBe(expected);
  });

  it.each([
    ['252.39-1~deb12u1', 252],
    ['v245-1.fc32', 245],
    ['"v245"', 245],
    ['242', 242],
    ['unknown', -1],
  ])('version %s is %d', (text, expected) => {
    expect(systemdVersionOf(text)).toBe(expected);
  });
});
