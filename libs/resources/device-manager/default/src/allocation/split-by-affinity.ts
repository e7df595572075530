import { nodeWithoutTopology } from './device-allocations.js';

/** Free devices grouped by their position relative to the NUMA nodes of the hint. */
export interface DevicesByAffinity {
  readonly aligned: ReadonlySet<string>;
  readonly unaligned: ReadonlySet<string>;
  readonly without: ReadonlySet<string>;
}

/**
 * `numaNodes`: nodes of the hint; undefined puts all devices in `without`. A device on several nodes counts for the
 * first in this order: nodes of the hint, other nodes, no node; among equals, the node with fewer free devices.
 * Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/manager.go filterByAffinity.
 */
export function splitByAffinity(
  available: ReadonlySet<string>,
  numaNodesOf: (id: string) => readonly number[],
  numaNodes: readonly number[] | undefined,
): DevicesByAffinity {
  if (numaNodes === undefined) return { aligned: new Set(), unaligned: new Set(), without: available };
  const nodesOf = (id: string): readonly number[] => {
    const nodes = numaNodesOf(id);
    return nodes.length === 0 ? [nodeWithoutTopology] : nodes;
  };
  const counts = new Map<number, number>();
  for (const id of available) for (const node of nodesOf(id)) counts.set(node, (counts.get(node) ?? 0) + 1);
  const decided = new Set(numaNodes);
  const rank = (node: number): number => (decided.has(node) ? 0 : node === nodeWithoutTopology ? 2 : 1);
  const before = (a: number, b: number): number =>
    rank(a) - rank(b) || (counts.get(a) ?? 0) - (counts.get(b) ?? 0) || a - b;
  const lists = [new Set<string>(), new Set<string>(), new Set<string>()] as const;
  for (const id of available) {
    const [first = nodeWithoutTopology] = [...nodesOf(id)].sort(before);
    lists[rank(first) as 0 | 1 | 2].add(id);
  }
  const [aligned, unaligned, without] = lists;
  return { aligned, unaligned, without };
}
