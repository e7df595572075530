import { combinations, type CpuSet } from '@podwright/machine';
import type { CpuTopology } from '../cpu-topology.js';
import { CpuTaker, type CpuOrder } from './cpu-taker.js';
import { takePacked } from './take-packed.js';

type FreeByNode = ReadonlyMap<number, number>;

/** The free CPUs per NUMA node before and after: each node of the plan gives `each`, some of them more, group by group. */
interface Plan {
  readonly each: number;
  readonly after: FreeByNode;
}

/**
 * Takes equally many CPUs from each of as few NUMA nodes as possible, so that the CPUs left are balanced as well. Falls
 * back to packed when it cannot.
 * Source: kubernetes v1.36 pkg/kubelet/cm/cpumanager/cpu_assignment.go takeByTopologyNUMADistributed.
 */
export function takeDistributed(
  topology: CpuTopology,
  available: CpuSet,
  count: number,
  groupSize: number,
  order: CpuOrder,
): CpuSet {
  const packed = { order, alignByUncoreCache: false };
  if (count % groupSize !== 0) return takePacked(topology, available, count, packed);
  const taker = new CpuTaker(topology, available, count, order);
  const listed = taker.listed('numaNode');
  const free = new Map(listed.map((node) => [node, taker.freeIn('numaNode', node).length]));
  for (let size = fewestNodes(topology, count, groupSize); size <= listed.length; size += 1) {
    const plan = bestPlan(free, size, count, groupSize);
    if (plan === undefined) continue;
    const takeFrom = (node: number, wanted: number): void =>
      taker.take(takePacked(topology, taker.freeIn('numaNode', node), wanted, packed));
    for (const [node, before] of free) {
      const given = before - (plan.after.get(node) ?? 0);
      if (given > 0) takeFrom(node, plan.each);
      for (let more = given - plan.each; more > 0; more -= groupSize) takeFrom(node, groupSize);
    }
    return taker.result();
  }
  return takePacked(topology, available, count, packed);
}

// By the average node, as upstream does: a large node does not serve alone what takes two average ones.
function fewestNodes({ cpus, numaNodes }: CpuTopology, count: number, groupSize: number): number {
  const groupsPerNode = Math.ceil(Math.ceil(cpus.length / groupSize) / numaNodes.length);
  return Math.ceil(count / groupSize / groupsPerNode);
}

function bestPlan(free: FreeByNode, size: number, count: number, groupSize: number): Plan | undefined {
  const each = Math.floor(Math.floor(count / size) / groupSize) * groupSize;
  const remainder = count - each * size;
  let best: Plan | undefined;
  for (const nodes of combinations([...free.keys()], size)) {
    const rest = new Map(free);
    for (const node of nodes) rest.set(node, (rest.get(node) ?? 0) - each);
    if ([...rest.values()].some((left) => left < 0)) continue;
    const after = bestRemainder(nodes, rest, remainder, groupSize);
    if (after !== undefined && (best === undefined || imbalance(after) < imbalance(best.after))) best = { each, after };
  }
  return best;
}

function bestRemainder(
  nodes: readonly number[],
  rest: FreeByNode,
  remainder: number,
  groupSize: number,
): FreeByNode | undefined {
  let best: FreeByNode | undefined;
  for (let size = nodes.length; size >= 1; size -= 1)
    for (const subset of combinations(nodes, size)) {
      const after = handOut(subset, rest, remainder, groupSize);
      if (after !== undefined && (best === undefined || imbalance(after) < imbalance(best))) best = after;
    }
  return best;
}

/** The free CPUs per node after the remainder was taken in rounds; undefined when there are not enough. */
function handOut(
  subset: readonly number[],
  rest: FreeByNode,
  remainder: number,
  groupSize: number,
): FreeByNode | undefined {
  const after = new Map(rest);
  let wanted = remainder;
  while (wanted > 0) {
    const before = wanted;
    for (const node of subset) {
      const free = after.get(node) ?? 0;
      if (wanted === 0 || free < groupSize) continue;
      after.set(node, free - groupSize);
      wanted -= groupSize;
    }
    // Upstream would loop for ever.
    if (wanted === before) return undefined;
  }
  return after;
}

/** The sum of the squares grows with upstream's measure, the standard deviation, because the sum is always the same. */
function imbalance(free: FreeByNode): number {
  return [...free.values()].reduce((total, value) => total + value ** 2, 0);
}
