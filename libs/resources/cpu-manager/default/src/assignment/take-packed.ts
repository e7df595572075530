import { KubeletError } from '@podwright/errors';
import type { CpuSet } from '@podwright/machine';
import type { CpuTopology } from '../cpu-topology.js';
import { CpuTaker, type CpuOrder } from './cpu-taker.js';

export interface PackedOptions {
  readonly order: CpuOrder;
  /** Takes whole caches first, then the rest from one cache if it fits. */
  readonly alignByUncoreCache: boolean;
}

/**
 * Takes CPUs from as few NUMA nodes, sockets and cores as possible. Throws `resource-exhausted` with upstream's text.
 * Source: kubernetes v1.36 pkg/kubelet/cm/cpumanager/cpu_assignment.go takeByTopologyNUMAPacked.
 */
export function takePacked(topology: CpuTopology, available: CpuSet, count: number, options: PackedOptions): CpuSet {
  const taker = new CpuTaker(topology, available, count, options.order);
  if (taker.freeCount < count)
    throw new KubeletError(
      `not enough cpus available to satisfy request: requested=${count}, available=${available.length}`,
      { code: 'resource-exhausted' },
    );
  for (const level of taker.levels) taker.takeWhole(level);
  if (options.alignByUncoreCache) takeFromCaches(taker, topology);
  if (options.order === 'packed') taker.takeWhole('core');
  taker.takeSingles();
  return taker.result();
}

function takeFromCaches(taker: CpuTaker, topology: CpuTopology): void {
  for (const cache of taker.listed('uncoreCache')) {
    if (taker.need >= topology.cpusPerUncoreCache) taker.takeWhole('uncoreCache');
    takePart(taker, topology, cache);
  }
}

/** Takes the rest from a single cache, or takes nothing. */
function takePart(taker: CpuTaker, { cpusPerCore }: CpuTopology, cache: number): void {
  const inCache = taker.placesIn('uncoreCache', cache);
  const cores = [...new Set(inCache.map(({ core }) => core))].sort((a, b) => a - b);
  const wanted = new Set(cores.slice(0, Math.ceil(taker.need / cpusPerCore)));
  let candidate = inCache.filter(({ core }) => wanted.has(core)).map(({ cpu }) => cpu);
  // With an odd number, one thread of the last core stays free for others.
  if (taker.need % 2 !== 0 && cpusPerCore > 1 && candidate.length > taker.need) candidate = candidate.slice(0, -1);
  if (candidate.length === taker.need) taker.take(candidate);
}
