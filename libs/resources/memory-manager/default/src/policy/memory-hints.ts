import { allCombinations } from '@podwright/machine';
import type { TopologyHint } from '@podwright/topology-manager-interface';
import type { MemoryAmounts } from '../memory-amounts.js';
import { sameNodes, sumOver, type MachineMemory } from '../state/machine-memory.js';

/** Bytes that ended init containers of the pod hold on exactly these nodes. */
export type ReusableOf = (numaNodes: readonly number[], resource: string) => number;

/**
 * Lists the groups of NUMA nodes that can serve the whole request. A node serves alone, or always in the same group.
 * Source: kubernetes v1.36 pkg/kubelet/cm/memorymanager/policy_static.go calculateHints.
 */
export function memoryHints(
  machine: MachineMemory,
  requested: MemoryAmounts,
  reusableOf: ReusableOf,
): readonly Required<TopologyHint>[] {
  const all = [...machine.keys()].sort((a, b) => a - b);
  let fewest = all.length;
  const groups: (readonly number[])[] = [];
  for (const nodes of allCombinations(all)) {
    if (!hasAtLeast(requested, (name) => sumOver(machine, nodes, name, 'allocatable'))) continue;
    fewest = Math.min(fewest, nodes.length);
    if (nodes.length === 1 && (machine.get(nodes[0] ?? 0)?.cells.length ?? 0) > 1) continue;
    if (violatesGroups(machine, nodes)) continue;
    if (hasAtLeast(requested, (name) => sumOver(machine, nodes, name, 'free') + reusableOf(nodes, name)))
      groups.push(nodes);
  }
  return groups.map((numaNodes) => ({ numaNodes, preferred: numaNodes.length === fewest }));
}

/** Whether the nodes would break a group: none of them may already serve alone or in another group. */
export function violatesGroups(machine: MachineMemory, nodes: readonly number[]): boolean {
  if (nodes.length === 1) return false;
  return nodes.some((id) => {
    const node = machine.get(id);
    return (
      node !== undefined && node.numberOfAssignments > 0 && (node.cells.length === 1 || !sameNodes(node.cells, nodes))
    );
  });
}

export function satisfies(machine: MachineMemory, nodes: readonly number[], requested: MemoryAmounts): boolean {
  return hasAtLeast(requested, (name) => sumOver(machine, nodes, name, 'free'));
}

/** Preferred first, then fewer nodes, then lower ones. */
export function bestHint(hints: readonly Required<TopologyHint>[]): Required<TopologyHint> | undefined {
  let best: Required<TopologyHint> | undefined;
  for (const hint of hints) {
    if (best === undefined || (hint.preferred && !best.preferred)) best = hint;
    else if (hint.preferred === best.preferred && isNarrower(hint.numaNodes, best.numaNodes)) best = hint;
  }
  return best;
}

function isNarrower(nodes: readonly number[], other: readonly number[]): boolean {
  if (nodes.length !== other.length) return nodes.length < other.length;
  // Of two masks with equally many bits, the smaller number is the one with the lower highest differing node.
  const [own, others] = [nodes, other].map((list) => [...list].sort((a, b) => b - a));
  const index = own?.findIndex((node, position) => node !== others?.[position]) ?? -1;
  return index >= 0 && (own?.[index] ?? 0) < (others?.[index] ?? 0);
}

function hasAtLeast(requested: MemoryAmounts, amountOf: (resource: string) => number): boolean {
  return [...requested].every(([name, bytes]) => amountOf(name) >= bytes);
}
