import type { CgroupSample, Pressure } from '@podwright/cgroup-stats-interface';
import type {
  ContainerStats,
  CpuStats,
  InterfaceStats,
  IoStats,
  MemoryStats,
  NetworkStats,
  PsiStats,
  SwapStats,
} from '@podwright/stats-interface';
import { wireTime } from './wire-time.js';

// Source of all below: kubernetes v1.36 pkg/kubelet/stats/helper.go.

// Larger limits are the kernel's way to express no limit.
const largestLimit = 2 ** 62;
const defaultInterface = 'eth0';

export function pressureOf(pressure: Pressure | undefined): PsiStats | undefined {
  if (pressure === undefined) return undefined;
  const data = ({ totalUs, avg10, avg60, avg300 }: Pressure['full']): PsiStats['full'] => ({
    total: totalUs,
    avg10,
    avg60,
    avg300,
  });
  return { full: data(pressure.full), some: data(pressure.some) };
}

/** As upstream, 0 without the controller. The first reading has no rate (nanocores). */
export function cpuOf({ timeMs, cpu }: CgroupSample): CpuStats {
  const time = wireTime(timeMs);
  if (cpu === undefined) return { time, usageNanoCores: 0, usageCoreNanoSeconds: 0 };
  const psi = pressureOf(cpu.pressure);
  return {
    time,
    ...(cpu.usageNanoCores !== undefined && { usageNanoCores: cpu.usageNanoCores }),
    usageCoreNanoSeconds: cpu.usageNs,
    ...(psi !== undefined && { psi }),
  };
}

export function memoryOf({ timeMs, memory, limits }: CgroupSample): MemoryStats {
  const time = wireTime(timeMs);
  if (memory === undefined) return { time, workingSetBytes: 0 };
  const psi = pressureOf(memory.pressure);
  const availableBytes = leftOf(limits.memoryLimit, memory.workingSet);
  return {
    time,
    ...(availableBytes !== undefined && { availableBytes }),
    usageBytes: memory.usage,
    workingSetBytes: memory.workingSet,
    rssBytes: memory.rss,
    pageFaults: memory.pageFaults,
    majorPageFaults: memory.majorPageFaults,
    ...(psi !== undefined && { psi }),
  };
}

export function swapOf({ timeMs, memory, limits }: CgroupSample): SwapStats | undefined {
  if (memory === undefined) return undefined;
  const swapAvailableBytes = leftOf(limits.memorySwapLimit, memory.swap);
  return {
    time: wireTime(timeMs),
    ...(swapAvailableBytes !== undefined && { swapAvailableBytes }),
    swapUsageBytes: memory.swap,
  };
}

export function ioOf({ timeMs, io }: CgroupSample): IoStats | undefined {
  if (io === undefined) return undefined;
  const psi = pressureOf(io.pressure);
  return { time: wireTime(timeMs), ...(psi !== undefined && { psi }) };
}

/** As upstream, the name is empty when no interface is the default one. */
export function networkOf({ timeMs, network }: CgroupSample): NetworkStats | undefined {
  if (network === undefined) return undefined;
  const interfaces = network.map(({ name, rxBytes, rxErrors, txBytes, txErrors }): InterfaceStats => ({
    name,
    rxBytes,
    rxErrors,
    txBytes,
    txErrors,
  }));
  const inlined = interfaces.find(({ name }) => name === defaultInterface) ?? { name: '' };
  return { time: wireTime(timeMs), ...inlined, ...(interfaces.length > 0 && { interfaces }) };
}

/** All statistics of a cgroup except file systems. */
export function cgroupStats(name: string, sample: CgroupSample, form: 'full' | 'reduced'): ContainerStats {
  const io = form === 'full' ? ioOf(sample) : undefined;
  const swap = swapOf(sample);
  return {
    name,
    startTime: wireTime(sample.createdMs),
    cpu: cpuOf(sample),
    memory: memoryOf(sample),
    ...(io !== undefined && { io }),
    ...(swap !== undefined && { swap }),
  };
}

// Usage may briefly exceed the limit: return 0 then; upstream's unsigned number wraps.
function leftOf(limit: number | undefined, used: number): number | undefined {
  return limit === undefined || limit > largestLimit ? undefined : Math.max(0, limit - used);
}
