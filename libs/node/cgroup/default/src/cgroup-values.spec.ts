import { describe, expect, it } from '@jest/globals';
import { sharesToWeight } from '@podwright/cgroup-files';
import { v1Writes, v2Writes, type CgroupValues } from './cgroup-values.js';

const lines = (writes: ReturnType<typeof v1Writes>): readonly string[] =>
  writes.map(({ controller, file, content }) => `${controller} ${file} ${content}`);
const huge = new Map([['2MB', 4_194_304n]]);

describe('cgroup values', () => {
  it.each<[string, CgroupValues, readonly string[], readonly string[]]>([
    ['nothing', {}, [], []],
    ['shares', { cpuShares: 1024 }, ['cpu cpu.shares 1024'], ['cpu cpu.weight 39']],
    ['the fewest shares', { cpuShares: 2 }, ['cpu cpu.shares 2'], ['cpu cpu.weight 1']],
    ['the most shares', { cpuShares: 262_144 }, ['cpu cpu.shares 262144'], ['cpu cpu.weight 10000']],
    ['no shares', { cpuShares: 0 }, [], []],
    [
      'quota and period',
      { cpuQuotaUs: 50_000, cpuPeriodUs: 100_000 },
      ['cpu cpu.cfs_period_us 100000', 'cpu cpu.cfs_quota_us 50000'],
      ['cpu cpu.max 50000 100000'],
    ],
    [
      'no quota',
      { cpuQuotaUs: -1, cpuPeriodUs: 100_000 },
      ['cpu cpu.cfs_period_us 100000', 'cpu cpu.cfs_quota_us -1'],
      ['cpu cpu.max max 100000'],
    ],
    ['a quota in the period that is set', { cpuQuotaUs: 7000 }, ['cpu cpu.cfs_quota_us 7000'], ['cpu cpu.max 7000']],
    ['neither quota nor period', { cpuQuotaUs: 0, cpuPeriodUs: 0 }, [], []],
    ['memory', { memoryLimitBytes: 4096 }, ['memory memory.limit_in_bytes 4096'], ['memory memory.max 4096']],
    ['unlimited memory', { memoryLimitBytes: -1 }, ['memory memory.limit_in_bytes -1'], ['memory memory.max max']],
    ['no memory limit', { memoryLimitBytes: 0 }, [], []],
    ['processes', { pidsLimit: 100 }, ['pids pids.max 100'], ['pids pids.max 100']],
    ['no process', { pidsLimit: 0 }, ['pids pids.max 1'], ['pids pids.max 1']],
    ['unlimited processes', { pidsLimit: -1 }, ['pids pids.max max'], ['pids pids.max max']],
    [
      'huge pages',
      { hugePageBytes: huge },
      ['hugetlb hugetlb.2MB.limit_in_bytes 4194304', 'hugetlb hugetlb.2MB.rsvd.limit_in_bytes 4194304'],
      ['hugetlb hugetlb.2MB.max 4194304', 'hugetlb hugetlb.2MB.rsvd.max 4194304'],
    ],
    ['a file of v2', { unified: { 'memory.min': '4096' } }, [], ['memory memory.min 4096']],
  ])('%s', (_name, values, v1, v2) => {
    expect(lines(v1Writes(values))).toEqual(v1);
    expect(lines(v2Writes(values, sharesToWeight))).toEqual(v2);
  });
});
