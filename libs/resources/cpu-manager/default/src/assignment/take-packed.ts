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
  if (taker.isSatisfied) return [];
  if (taker.freeCount < count) throw notEnough(count, available.length);
  for (const level of taker.levels) {
    taker.takeWhole(level);
    if (taker.isSatisfied) return taker.result();
  }
  if (options.alignByUncoreCache) takeFromCaches(taker, topology);
  if (!taker.isSatisfied && options.order === 'packed') taker.takeWhole('core');
  if (!taker.isSatisfied) taker.takeSingles();
  if (taker.isSatisfied) return taker.result();
  throw new KubeletError('failed to allocate cpus', { code: 'resource-exhausted' });
}

export function notEnough(requested: number, available: number): KubeletError {
  return new KubeletError(
    `not enough cpus available to satisfy request: requested=${requested}, available=${available}`,
    { code: 'resource-exhausted' },
  );
}

function takeFromCaches(taker: CpuTaker, topology: CpuTopology): void {
  for (const cache of taker.listed('uncoreCache')) {
    if (taker.need >= topology.cpusPerUncoreCache) taker.takeWhole('uncoreCache');
    if (taker.isSatisfied) return;
    takePart(taker, topology, cache);
    if (taker.isSatisfied) return;
  }
}

/** Takes the rest from a single cache, or takes nothing. */
function takePart(taker: CpuTaker, { places, cpusPerCore }: CpuTopology, cache: number): void {
  if (cpusPerCore === 0) return;
  const coreOf = (cpu: number): number => places.get(cpu)?.core ?? -1;
  const inCache = taker.freeIn('uncoreCache', cache);
  const cores = [...new Set(inCache.map(coreOf))].sort((a, b) => a - b);
  const wanted = new Set(cores.slice(0, Math.ceil(taker.need / cpusPerCore)));
  let candidate = inCache.filter((cpu) => wanted.has(coreOf(cpu))).sort((a, b) => a - b);
  // With an odd number, one thread of the last core stays free for others.
  if (taker.need % 2 !== 0 && cpusPerCore > 1 && candidate.length > taker.need) candidate = candidate.slice(0, -1);
  if (candidate.length === taker.need) taker.take(candidate);
}
