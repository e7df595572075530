import { allCombinations, type CpuSet } from '@podwright/machine';
import type { TopologyHint } from '@podwright/topology-manager-interface';
import { cpusIn, elementsOf, type CpuTopology } from '../cpu-topology.js';

export interface CpuHintRequest {
  readonly available: CpuSet;
  /** CPUs that must all lie in the nodes of a hint. */
  readonly reusable: CpuSet;
  readonly count: number;
}

/**
 * Lists the sets of NUMA nodes that can serve the request. Source: kubernetes v1.36
 * pkg/kubelet/cm/cpumanager/policy_static.go generateCPUTopologyHints.
 */
export function cpuHints(
  topology: CpuTopology,
  { available, reusable, count }: CpuHintRequest,
  alignBySocket: boolean,
): readonly TopologyHint[] {
  const nodeOf = (cpu: number): number => topology.places.get(cpu)?.numaNode ?? 0;
  const reusableNodes = new Set(reusable.map(nodeOf));
  const sizes = countByNode([...topology.places.keys()], nodeOf);
  const free = countByNode(available, nodeOf);
  let fewest = topology.numaNodes.length;
  const masks: (readonly number[])[] = [];
  for (const nodes of allCombinations(topology.numaNodes)) {
    if (sumOver(sizes, nodes) >= count) fewest = Math.min(fewest, nodes.length);
    if ([...reusableNodes].some((node) => !nodes.includes(node))) continue;
    if (reusable.length + sumOver(free, nodes) >= count) masks.push(nodes);
  }
  return masks.map((numaNodes) => ({
    numaNodes,
    preferred: numaNodes.length === fewest || (alignBySocket && isSocketAligned(topology, numaNodes, fewest)),
  }));
}

/** CPUs that match the hint: those of its nodes, or of every socket that contains one of its nodes. */
export function alignedCpus(topology: CpuTopology, numaNodes: readonly number[], alignBySocket: boolean): CpuSet {
  if (!alignBySocket) return cpusIn(topology, 'numaNode', numaNodes);
  return cpusIn(topology, 'socket', elementsOf(topology, 'socket', cpusIn(topology, 'numaNode', numaNodes)));
}

function isSocketAligned(topology: CpuTopology, numaNodes: readonly number[], fewest: number): boolean {
  const nodesPerSocket = Math.floor(topology.numaNodeCount / topology.socketCount);
  const sockets = elementsOf(topology, 'socket', cpusIn(topology, 'numaNode', numaNodes));
  return sockets.length === Math.ceil(fewest / nodesPerSocket);
}

function countByNode(cpus: readonly number[], nodeOf: (cpu: number) => number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const cpu of cpus) counts.set(nodeOf(cpu), (counts.get(nodeOf(cpu)) ?? 0) + 1);
  return counts;
}

function sumOver(counts: ReadonlyMap<number, number>, nodes: readonly number[]): number {
  return nodes.reduce((sum, node) => sum + (counts.get(node) ?? 0), 0);
}
