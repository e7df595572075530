import type { CgroupLimits, CgroupSample, CpuSample, MemorySample } from '@podwright/cgroup-stats-interface';
import { meminfoBytes } from '@podwright/machine';
import path from 'node:path';
import { parseIoStat, type DeviceName } from './block-io.js';
import type { CgroupLayout } from './cgroup-layout.js';
import {
  pidsOf,
  present,
  workingSet,
  type CgroupReader,
  type CgroupReading,
  type ReadOptions,
} from './cgroup-reading.js';
import { keyedNumbers, kernelNumber, limitBytes, lineCount } from './kernel-numbers.js';
import { parsePressure } from './pressure.js';
import { readSmallFile } from './small-file.js';

const nsPerUs = 1000;
const maxWeight = 10_000;

export interface CgroupV2ReaderOptions {
  /** Whether the kernel reports pressure. */
  readonly pressure: boolean;
  /** `/proc/meminfo`, the source of the swap of `/`. */
  readonly meminfoFile: string;
}

/**
 * Reads the files of the unified hierarchy. Source: opencontainers/cgroups v0.0.6 fs2 (cpu, memory, io, pids, psi),
 * google/cadvisor v0.56 container/libcontainer/handler.go, container/common/helpers.go getSpecInternal.
 */
export class CgroupV2Reader implements CgroupReader {
  constructor(
    private readonly layout: CgroupLayout,
    private readonly deviceName: DeviceName,
    private readonly options: CgroupV2ReaderOptions,
  ) {}

  async read(cgroup: string, { full }: ReadOptions): Promise<CgroupReading> {
    const directory = this.layout.directory('memory', cgroup) ?? '/';
    const file = (name: string): Promise<string | undefined> => readSmallFile(path.join(directory, name));
    const [cpu, memory, io, limits, procs, threads] = await Promise.all([
      this.cpu(file),
      this.memory(file, full, cgroup === '/'),
      this.io(file, full),
      this.limits(file, full),
      file('cgroup.procs'),
      full ? file('pids.current') : undefined,
    ]);
    const pids = pidsOf(procs);
    const counted = full ? (kernelNumber(threads) ?? lineCount(procs ?? '')) : undefined;
    return {
      ...present<Pick<CgroupReading, 'cpu' | 'memory' | 'io'>>({ cpu, memory, io }),
      ...(procs !== undefined && {
        processes: { count: pids.length, ...(counted !== undefined && { threads: counted }) },
      }),
      limits,
      pids,
    };
  }

  private async cpu(file: FileOf): Promise<CpuSample | undefined> {
    const [text, pressureText] = await Promise.all([file('cpu.stat'), this.pressure(file, 'cpu')]);
    if (text === undefined) return undefined;
    const stat = keyedNumbers(text);
    const us = (name: string): number => (stat.get(name) ?? 0) * nsPerUs;
    const pressure = parsePressure(pressureText);
    return {
      usageNs: us('usage_usec'),
      userNs: us('user_usec'),
      systemNs: us('system_usec'),
      cfs: {
        periods: stat.get('nr_periods') ?? 0,
        throttledPeriods: stat.get('nr_throttled') ?? 0,
        throttledNs: us('throttled_usec'),
        burstPeriods: stat.get('nr_bursts') ?? 0,
        burstNs: us('burst_usec'),
      },
      ...(pressure !== undefined && { pressure }),
    };
  }

  private async memory(file: FileOf, full: boolean, isRoot: boolean): Promise<MemorySample | undefined> {
    const [statText, current, swapText, pressureText, peak, events] = await Promise.all([
      file('memory.stat'),
      file('memory.current'),
      file('memory.swap.current'),
      this.pressure(file, 'memory'),
      full ? file('memory.peak') : undefined,
      full ? file('memory.events.local') : undefined,
    ]);
    if (statText === undefined) return undefined;
    const stat = keyedNumbers(statText);
    const value = (name: string): number => stat.get(name) ?? 0;
    // `/` has no memory.current: add up the parts that v1 counts there.
    const usage = kernelNumber(current) ?? (isRoot ? value('anon') + value('file') : undefined);
    if (usage === undefined) return undefined;
    const pressure = parsePressure(pressureText);
    return {
      usage,
      workingSet: workingSet(usage, value('inactive_file')),
      rss: value('anon'),
      cache: value('file'),
      swap: isRoot && current === undefined ? await this.machineSwap() : (kernelNumber(swapText) ?? 0),
      mappedFile: value('file_mapped'),
      totalActiveFile: value('active_file'),
      totalInactiveFile: value('inactive_file'),
      pageFaults: value('pgfault'),
      majorPageFaults: value('pgmajfault'),
      ...(pressure !== undefined && { pressure }),
      ...(full && {
        maxUsage: kernelNumber(peak) ?? 0,
        kernelUsage: 0,
        failCount: 0,
        oomKills: keyedNumbers(events ?? '').get('oom_kill') ?? 0,
      }),
    };
  }

  private async machineSwap(): Promise<number> {
    const meminfo = (await readSmallFile(this.options.meminfoFile)) ?? '';
    return meminfoBytes(meminfo, 'SwapTotal') - meminfoBytes(meminfo, 'SwapFree');
  }

  private async io(file: FileOf, full: boolean): Promise<CgroupSample['io']> {
    const [pressureText, stat] = await Promise.all([this.pressure(file, 'io'), full ? file('io.stat') : undefined]);
    const pressure = parsePressure(pressureText);
    if (stat === undefined && pressure === undefined) return undefined;
    return {
      ...(pressure !== undefined && { pressure }),
      ...(stat !== undefined && { devices: parseIoStat(stat, this.deviceName) }),
    };
  }

  private async limits(file: FileOf, full: boolean): Promise<CgroupLimits> {
    const [limit, swap, weight, cpuMax, min, pids] = await Promise.all([
      file('memory.max'),
      file('memory.swap.max'),
      ...(full ? ['cpu.weight', 'cpu.max', 'memory.min', 'pids.max'].map(file) : []),
    ]);
    const [quota, period] = cpuMax?.split(' ') ?? [];
    return present<CgroupLimits>({
      memoryLimit: limitBytes(limit),
      memorySwapLimit: swap === undefined && limit !== undefined ? 0 : limitBytes(swap),
      memoryReservation: limitBytes(min),
      cpuShares: full ? sharesOf(kernelNumber(weight)) : undefined,
      cpuPeriodUs: full ? (kernelNumber(period) ?? 0) : undefined,
      cpuQuotaUs: kernelNumber(quota),
      pidsLimit: kernelNumber(pids),
    });
  }

  private pressure(file: FileOf, kind: 'cpu' | 'memory' | 'io'): Promise<string | undefined> {
    return this.options.pressure ? file(`${kind}.pressure`) : Promise.resolve(undefined);
  }
}

type FileOf = (name: string) => Promise<string | undefined>;

/**
 * Converts cpu.weight to cpu.shares; 0 without a weight. Source: google/cadvisor v0.56 container/common/helpers.go
 * convertCPUWeightToCPULimit.
 */
export function sharesOf(weight: number | undefined): number {
  if (weight === undefined || weight < 1 || weight > maxWeight) return 0;
  return 2 + Math.trunc(((weight - 1) * 262_142) / (maxWeight - 1));
}
