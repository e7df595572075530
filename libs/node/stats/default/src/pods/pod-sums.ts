import type { ContainerStats, CpuStats, MemoryStats, SwapStats } from '@podwright/stats-interface';

// Sums for pods without a cgroup. A value that no container reports is 0, as in upstream; pressure cannot be summed.
// Source: kubernetes v1.36 pkg/kubelet/stats/cri_stats_provider.go addPodCPUMemoryStats, addSwapStats.

export function sumOfCpu(containers: readonly ContainerStats[]): CpuStats | undefined {
  return sumOf(
    containers.map(({ cpu }) => cpu),
    ['usageNanoCores', 'usageCoreNanoSeconds'],
  );
}

export function sumOfMemory(containers: readonly ContainerStats[]): MemoryStats | undefined {
  return sumOf(
    containers.map(({ memory }) => memory),
    ['availableBytes', 'usageBytes', 'workingSetBytes', 'rssBytes', 'pageFaults', 'majorPageFaults'],
  );
}

export function sumOfSwap(containers: readonly ContainerStats[]): SwapStats | undefined {
  return sumOf(
    containers.map(({ swap }) => swap),
    ['swapAvailableBytes', 'swapUsageBytes'],
  );
}

function sumOf<K extends string>(
  parts: readonly (({ readonly time: string } & { readonly [key in K]?: number }) | undefined)[],
  names: readonly K[],
): ({ readonly time: string } & { readonly [key in K]?: number }) | undefined {
  const known = parts.filter((part) => part !== undefined);
  const last = known[known.length - 1];
  if (last === undefined) return undefined;
  const sums = names.map((name) => [name, known.reduce((sum, part) => sum + (part[name] ?? 0), 0)]);
  return { time: last.time, ...(Object.fromEntries(sums) as { readonly [key in K]?: number }) };
}
