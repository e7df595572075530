import type { CgroupLimits, CpuSample, MemorySample } from '@podwright/cgroup-stats-interface';
import path from 'node:path';
import { parseBlkio, type DeviceName } from './block-io.js';
import type { CgroupLayout, ReadController } from './cgroup-layout.js';
import {
  pidsOf,
  present,
  workingSet,
  type CgroupReader,
  type CgroupReading,
  type ReadOptions,
} from './cgroup-reading.js';
import { keyedNumbers, kernelNumber, limitBytes } from './kernel-numbers.js';
import { readSmallFile } from './small-file.js';

// The unit of cpuacct.stat. As upstream, assumes 100: true on all architectures that Kubernetes supports.
const ticksPerSecond = 100;
const nsPerTick = 1e9 / ticksPerSecond;

/** Block I/O files by scheduler; as in libcontainer, the first group whose first file has content counts. */
const blkioGroups = [
  {
    serviced: 'blkio.bfq.io_serviced_recursive',
    serviceBytes: 'blkio.bfq.io_service_bytes_recursive',
    sectors: 'blkio.bfq.sectors_recursive',
    serviceTimeNs: 'blkio.bfq.io_service_time_recursive',
    merged: 'blkio.bfq.io_merged_recursive',
    queued: 'blkio.bfq.io_queued_recursive',
  },
  {
    serviced: 'blkio.io_serviced_recursive',
    serviceBytes: 'blkio.io_service_bytes_recursive',
    sectors: 'blkio.sectors_recursive',
    serviceTimeNs: 'blkio.io_service_time_recursive',
    merged: 'blkio.io_merged_recursive',
    queued: 'blkio.io_queued_recursive',
  },
  {
    serviced: 'blkio.throttle.io_serviced_recursive',
    serviceBytes: 'blkio.throttle.io_service_bytes_recursive',
  },
  { serviced: 'blkio.throttle.io_serviced', serviceBytes: 'blkio.throttle.io_service_bytes' },
] as const;
type BlkioGroup = Readonly<Partial<Record<keyof (typeof blkioGroups)[0], string>>>;

/**
 * Files of the v1 controllers. Source: opencontainers/cgroups v0.0.6 fs (cpuacct, cpu, memory, blkio, pids),
 * google/cadvisor v0.56 container/libcontainer/handler.go, container/common/helpers.go getSpecInternal.
 */
export class CgroupV1Reader implements CgroupReader {
  private blkio: readonly BlkioGroup[] | undefined;

  constructor(
    private readonly layout: CgroupLayout,
    private readonly deviceName: DeviceName,
  ) {}

  async read(cgroup: string, options: ReadOptions): Promise<CgroupReading> {
    const { full } = options;
    const [cpu, memory, limits, procs, pidsCurrent, devices] = await Promise.all([
      this.cpu(cgroup, full),
      this.memory(cgroup, options),
      this.limits(cgroup, full),
      this.file('cpu', cgroup, 'cgroup.procs'),
      full && cgroup !== '/' ? this.file('pids', cgroup, 'pids.current') : undefined,
      full ? this.devices(cgroup) : undefined,
    ]);
    const pids = pidsOf(procs);
    const threads = full ? (kernelNumber(pidsCurrent) ?? 0) : undefined;
    return {
      ...present<Pick<CgroupReading, 'cpu' | 'memory'>>({ cpu, memory }),
      ...(devices !== undefined && { io: { devices } }),
      ...(procs !== undefined && { processes: { count: pids.length, ...(threads !== undefined && { threads }) } }),
      limits,
      pids,
    };
  }

  private async cpu(cgroup: string, full: boolean): Promise<CpuSample | undefined> {
    const [usage, ticks, throttling] = await Promise.all([
      this.file('cpuacct', cgroup, 'cpuacct.usage'),
      full ? this.file('cpuacct', cgroup, 'cpuacct.stat') : undefined,
      full ? this.file('cpu', cgroup, 'cpu.stat') : undefined,
    ]);
    const usageNs = kernelNumber(usage);
    if (usageNs === undefined) return undefined;
    if (!full) return { usageNs };
    const modes = keyedNumbers(ticks ?? '');
    const cfs = keyedNumbers(throttling ?? '');
    return {
      usageNs,
      userNs: (modes.get('user') ?? 0) * nsPerTick,
      systemNs: (modes.get('system') ?? 0) * nsPerTick,
      cfs: {
        periods: cfs.get('nr_periods') ?? 0,
        throttledPeriods: cfs.get('nr_throttled') ?? 0,
        throttledNs: cfs.get('throttled_time') ?? 0,
        // The v1 file has bursts too, but libcontainer does not read them.
        burstPeriods: 0,
        burstNs: 0,
      },
    };
  }

  private async memory(cgroup: string, { full, hierarchical }: ReadOptions): Promise<MemorySample | undefined> {
    const file = (name: string): Promise<string | undefined> => this.file('memory', cgroup, `memory.${name}`);
    const [statText, usageText, maxUsage, failCount, kernelUsage, oomControl] = await Promise.all([
      file('stat'),
      file('usage_in_bytes'),
      ...(full ? ['max_usage_in_bytes', 'failcnt', 'kmem.usage_in_bytes', 'oom_control'].map(file) : []),
    ]);
    const usage = kernelNumber(usageText);
    if (statText === undefined || usage === undefined) return undefined;
    const stat = keyedNumbers(statText);
    const value = (name: string): number => stat.get(hierarchical ? `total_${name}` : name) ?? 0;
    const totalInactiveFile = stat.get('total_inactive_file') ?? 0;
    return {
      usage,
      workingSet: workingSet(usage, totalInactiveFile),
      rss: value('rss'),
      cache: value('cache'),
      swap: value('swap'),
      mappedFile: value('mapped_file'),
      totalActiveFile: stat.get('total_active_file') ?? 0,
      totalInactiveFile,
      pageFaults: stat.get('pgfault') ?? 0,
      majorPageFaults: stat.get('pgmajfault') ?? 0,
      ...(full && {
        maxUsage: kernelNumber(maxUsage) ?? 0,
        kernelUsage: kernelNumber(kernelUsage) ?? 0,
        failCount: kernelNumber(failCount) ?? 0,
        oomKills: keyedNumbers(oomControl ?? '').get('oom_kill') ?? 0,
      }),
    };
  }

  private async limits(cgroup: string, full: boolean): Promise<CgroupLimits> {
    const memory = (name: string): Promise<string | undefined> => this.file('memory', cgroup, `memory.${name}`);
    const cpu = (name: string): Promise<string | undefined> => this.file('cpu', cgroup, `cpu.${name}`);
    const [limit, swap, reservation, shares, period, quota, pids] = await Promise.all([
      memory('limit_in_bytes'),
      memory('memsw.limit_in_bytes'),
      ...(full
        ? [memory('soft_limit_in_bytes'), cpu('shares'), cpu('cfs_period_us'), cpu('cfs_quota_us')]
        : new Array<undefined>(4)),
      full && cgroup !== '/' ? this.file('pids', cgroup, 'pids.max') : undefined,
    ]);
    const hasCpu = full && this.layout.directory('cpu', cgroup) !== undefined;
    const hasQuota = quota !== undefined && !quota.startsWith('-1');
    return present<CgroupLimits>({
      memoryLimit: limitBytes(limit),
      memorySwapLimit: swap === undefined && limit !== undefined ? 0 : limitBytes(swap),
      memoryReservation: limitBytes(reservation),
      cpuShares: hasCpu ? (kernelNumber(shares) ?? 0) : undefined,
      cpuPeriodUs: hasCpu ? (kernelNumber(period) ?? 0) : undefined,
      cpuQuotaUs: hasQuota ? kernelNumber(quota) : undefined,
      pidsLimit: kernelNumber(pids),
    });
  }

  private async devices(cgroup: string): Promise<NonNullable<CgroupReading['io']>['devices']> {
    const directory = this.layout.directory('blkio', cgroup);
    if (directory === undefined) return undefined;
    this.blkio ??= await this.blkioFiles();
    for (const { serviced, ...others } of this.blkio) {
      const first = serviced && (await readSmallFile(path.join(directory, serviced)));
      const tables: Record<string, string | undefined> = { serviced: first };
      if (first === undefined || !first.includes(':')) continue;
      const entries = Object.entries(others);
      const texts = await Promise.all(entries.map(([, name]) => readSmallFile(path.join(directory, name))));
      entries.forEach(([table], index) => (tables[table] = texts[index]));
      return parseBlkio(tables, this.deviceName);
    }
    return [];
  }

  /** Remembers which files this kernel has, to avoid repeated reads of missing ones. */
  private async blkioFiles(): Promise<readonly BlkioGroup[]> {
    const root = this.layout.directory('blkio', '/') ?? '/';
    const groups: BlkioGroup[] = [];
    for (const group of blkioGroups) {
      const texts = await Promise.all(Object.values(group).map((name) => readSmallFile(path.join(root, name))));
      const there = Object.entries(group).filter((_, index) => texts[index] !== undefined);
      if (there.length > 0) groups.push(Object.fromEntries(there));
      // The recursive counters include the others.
      if (there.length > 0 && group.serviced === 'blkio.throttle.io_serviced_recursive') break;
    }
    return groups;
  }

  private file(controller: ReadController, cgroup: string, name: string): Promise<string | undefined> {
    const directory = this.layout.directory(controller, cgroup);
    return directory === undefined ? Promise.resolve(undefined) : readSmallFile(path.join(directory, name));
  }
}
