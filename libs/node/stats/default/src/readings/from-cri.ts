import type {
  ContainerStats as CriContainerStats,
  CpuUsage,
  IoUsage,
  MemoryUsage,
  NetworkInterfaceUsage,
  NetworkUsage,
  PsiStats as CriPsiStats,
  SwapUsage,
  UInt64Value,
} from '@podwright/cri-client-interface';
import type {
  ContainerStats,
  CpuStats,
  InterfaceStats,
  IoStats,
  MemoryStats,
  NetworkStats,
  PsiData,
  PsiStats,
  SwapStats,
} from '@podwright/stats-interface';
import { wireTime, wireTimeOfNs } from './wire-time.js';

// Source of all below: kubernetes v1.36 pkg/kubelet/stats/cri_stats_provider.go, cri_stats_provider_linux.go.

/** As in upstream, `full` omits values that the runtime does not report and `reduced` shows 0 for them. */
export type Form = 'full' | 'reduced';

export interface CriReadingOptions {
  readonly form: Form;
  readonly nowMs: number;
  /** Rate from earlier readings; used when the runtime reports none. */
  readonly usageNanoCores?: number | undefined;
}

const noPressure: PsiData = { total: 0, avg10: 0, avg60: 0, avg300: 0 };

export function criPressure(psi: CriPsiStats | undefined): PsiStats | undefined {
  if (psi === undefined) return undefined;
  const data = (from: CriPsiStats['Full']): PsiData =>
    from === undefined
      ? noPressure
      : { total: Number(from.Total), avg10: from.Avg10, avg60: from.Avg60, avg300: from.Avg300 };
  return { full: data(psi.Full), some: data(psi.Some) };
}

/** CPU, memory, swap and, in the full form, I/O of one container; callers add file systems. */
export function criContainerStats(
  stats: CriContainerStats,
  createdAt: bigint,
  options: CriReadingOptions,
): ContainerStats {
  return {
    name: stats.attributes?.metadata?.name ?? '',
    startTime: wireTimeOfNs(createdAt),
    cpu: cpu(stats.cpu, options),
    memory: memory(stats.memory, options),
    ...(options.form === 'full' && { io: io(stats.io, options.nowMs) }),
    swap: swap(stats.swap, options),
  };
}

function cpu(usage: CpuUsage | undefined, { form, nowMs, usageNanoCores }: CriReadingOptions): CpuStats {
  if (usage === undefined) return { time: wireTime(nowMs), usageNanoCores: 0, usageCoreNanoSeconds: 0 };
  const nanoCores = numberOf(usage.usageNanoCores) ?? usageNanoCores;
  return criCpu(usage, nanoCores, form === 'reduced' ? 0 : undefined);
}

/** Of a pod sandbox, or of a container. */
export function criCpu(usage: CpuUsage, usageNanoCores = numberOf(usage.usageNanoCores), otherwise?: number): CpuStats {
  const psi = criPressure(usage.psi);
  const usageCoreNanoSeconds = numberOf(usage.usageCoreNanoSeconds) ?? otherwise;
  return {
    time: wireTimeOfNs(usage.timestamp),
    ...(usageNanoCores !== undefined && { usageNanoCores }),
    ...(usageCoreNanoSeconds !== undefined && { usageCoreNanoSeconds }),
    ...(psi !== undefined && { psi }),
  };
}

function memory(usage: MemoryUsage | undefined, { form, nowMs }: CriReadingOptions): MemoryStats {
  if (usage !== undefined) return criMemory(usage, form === 'reduced' ? 0 : undefined);
  const known = { usageBytes: 0, workingSetBytes: 0, rssBytes: 0 };
  if (form === 'full') return { time: wireTime(nowMs), ...known };
  return { time: wireTime(nowMs), availableBytes: 0, ...known, pageFaults: 0, majorPageFaults: 0 };
}

/** Of a pod sandbox, or of a container. */
export function criMemory(usage: MemoryUsage, otherwise?: number): MemoryStats {
  const psi = criPressure(usage.psi);
  return {
    time: wireTimeOfNs(usage.timestamp),
    ...given({
      availableBytes: numberOf(usage.availableBytes) ?? otherwise,
      usageBytes: numberOf(usage.usageBytes) ?? otherwise,
      workingSetBytes: numberOf(usage.workingSetBytes) ?? otherwise,
      rssBytes: numberOf(usage.rssBytes) ?? otherwise,
      pageFaults: numberOf(usage.pageFaults) ?? otherwise,
      majorPageFaults: numberOf(usage.majorPageFaults) ?? otherwise,
    }),
    ...(psi !== undefined && { psi }),
  };
}

function swap(usage: SwapUsage | undefined, { form, nowMs }: CriReadingOptions): SwapStats {
  if (usage === undefined) return { time: wireTime(nowMs), swapAvailableBytes: 0, swapUsageBytes: 0 };
  const otherwise = form === 'reduced' ? 0 : undefined;
  return {
    time: wireTimeOfNs(usage.timestamp),
    ...given({
      swapAvailableBytes: numberOf(usage.swapAvailableBytes) ?? otherwise,
      swapUsageBytes: numberOf(usage.swapUsageBytes) ?? otherwise,
    }),
  };
}

function io(usage: IoUsage | undefined, nowMs: number): IoStats {
  return usage === undefined ? { time: wireTime(nowMs) } : criIo(usage);
}

export function criIo(usage: IoUsage): IoStats {
  const psi = criPressure(usage.psi);
  return { time: wireTimeOfNs(usage.timestamp), ...(psi !== undefined && { psi }) };
}

export function criNetwork({ timestamp, defaultInterface, interfaces }: NetworkUsage): NetworkStats {
  return {
    time: wireTimeOfNs(timestamp),
    ...(defaultInterface === undefined ? { name: '' } : criInterface(defaultInterface)),
    ...(interfaces.length > 0 && { interfaces: interfaces.map(criInterface) }),
  };
}

function criInterface({ name, rxBytes, rxErrors, txBytes, txErrors }: NetworkInterfaceUsage): InterfaceStats {
  return {
    name,
    ...given({
      rxBytes: numberOf(rxBytes),
      rxErrors: numberOf(rxErrors),
      txBytes: numberOf(txBytes),
      txErrors: numberOf(txErrors),
    }),
  };
}

export function numberOf(value: UInt64Value | undefined): number | undefined {
  return value === undefined ? undefined : Number(value.value);
}

/** Drops undefined members. */
function given<K extends string>(members: Readonly<Record<K, number | undefined>>): { readonly [key in K]?: number } {
  const known = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as { readonly [key in K]?: number };
}
