import { KubeletError } from '@podwright/errors';
import { combinations, cpuUnion, type CpuSet } from '@podwright/machine';
import type { CpuTopology } from '../cpu-topology.js';
import { CpuTaker, type CpuOrder } from './cpu-taker.js';
import { notEnough, takePacked } from './take-packed.js';

/** The NUMA nodes that provide CPUs, and those among them that provide one group more than the others. */
interface Plan {
  readonly nodes: readonly number[];
  readonly remainderNodes: readonly number[];
  readonly score: number;
}

type FreeByNode = ReadonlyMap<number, number>;

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
  if (taker.isSatisfied) return [];
  if (taker.freeCount < count) throw notEnough(count, available.length);
  const listed = taker.listed('numaNode');
  const free = new Map(listed.map((node) => [node, taker.freeIn('numaNode', node).length]));
  const [fewest, most] = nodeRange(topology, listed.length, count, groupSize);
  for (let size = fewest; size <= most; size += 1) {
    const plan = bestPlan(listed, free, size, count, groupSize);
    if (plan !== undefined) return carryOut(plan, taker, topology, groupSize, packed);
  }
  return takePacked(topology, available, count, packed);
}

function nodeRange(
  { cpus, numaNodes }: CpuTopology,
  listed: number,
  count: number,
  groupSize: number,
): readonly [fewest: number, most: number] {
  const groupsPerNode = Math.ceil(Math.ceil(cpus.length / groupSize) / numaNodes.length);
  const groups = Math.ceil(count / groupSize);
  return [Math.ceil(groups / groupsPerNode), Math.min(groups, listed)];
}

function bestPlan(
  listed: readonly number[],
  free: FreeByNode,
  size: number,
  count: number,
  groupSize: number,
): Plan | undefined {
  let best: Plan | undefined;
  for (const nodes of combinations(listed, size)) {
    if (best?.score === 0) break;
    const plan = planFor(nodes, free, count, groupSize);
    if (plan !== undefined && (best === undefined || plan.score < best.score)) best = plan;
  }
  return best;
}

function planFor(nodes: readonly number[], free: FreeByNode, count: number, groupSize: number): Plan | undefined {
  const freeOf = (node: number): number => free.get(node) ?? 0;
  if (sum(nodes.map(freeOf)) < count) return undefined;
  if (sum(nodes.map((node) => Math.floor(freeOf(node) / groupSize))) * groupSize < count) return undefined;
  const each = eachOf(nodes.length, count, groupSize);
  if (nodes.some((node) => freeOf(node) < each)) return undefined;
  const after = new Map(free);
  for (const node of nodes) after.set(node, freeOf(node) - each);
  const remainder = count - each * nodes.length;
  if (remainder === 0) return { nodes, remainderNodes: [], score: deviation([...after.values()]) };
  return bestRemainder(nodes, after, remainder, groupSize);
}

function bestRemainder(
  nodes: readonly number[],
  after: FreeByNode,
  remainder: number,
  groupSize: number,
): Plan | undefined {
  const candidates = nodes.filter((node) => (after.get(node) ?? 0) >= groupSize);
  let best: Plan | undefined;
  for (let size = candidates.length; size >= 1; size -= 1)
    for (const subset of combinations(candidates, size)) {
      const rest = handOut(subset, after, remainder, groupSize);
      if (rest === undefined) continue;
      const score = deviation([...rest.values()]);
      if (best === undefined || score < best.score) best = { nodes, remainderNodes: subset, score };
    }
  return best;
}

/** The free CPUs per node after the remainder was taken in rounds; undefined when there are not enough. */
function handOut(
  subset: readonly number[],
  after: FreeByNode,
  remainder: number,
  groupSize: number,
): FreeByNode | undefined {
  const rest = new Map(after);
  let wanted = remainder;
  while (wanted > 0) {
    const before = wanted;
    for (const node of subset) {
      const free = rest.get(node) ?? 0;
      if (wanted === 0 || free < groupSize) continue;
      rest.set(node, free - groupSize);
      wanted -= groupSize;
    }
    // Upstream would loop for ever.
    if (wanted === before) return undefined;
  }
  return rest;
}

function carryOut(
  { nodes, remainderNodes }: Plan,
  taker: CpuTaker,
  topology: CpuTopology,
  groupSize: number,
  packed: Parameters<typeof takePacked>[3],
): CpuSet {
  const takeFrom = (node: number, count: number): void =>
    taker.take(takePacked(topology, taker.freeIn('numaNode', node), count, packed));
  const each = eachOf(nodes.length, taker.need, groupSize);
  for (const node of nodes) takeFrom(node, each);
  while (taker.need > 0) {
    const before = taker.need;
    for (const node of remainderNodes)
      if (taker.need > 0 && taker.freeIn('numaNode', node).length >= groupSize) takeFrom(node, groupSize);
    if (taker.need === before)
      throw new KubeletError(`accounting error, not enough CPUs allocated, remaining: ${taker.need}`, {
        code: 'internal',
      });
  }
  return cpuUnion(taker.result());
}

function eachOf(nodes: number, count: number, groupSize: number): number {
  return Math.floor(Math.floor(count / nodes) / groupSize) * groupSize;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Rounded as upstream does, so that scores tie in the same cases. */
function deviation(values: readonly number[]): number {
  const rounded = (value: number): number => Math.round(value * 1000) / 1000;
  const mean = rounded(sum(values) / values.length);
  return rounded(Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / values.length));
}
