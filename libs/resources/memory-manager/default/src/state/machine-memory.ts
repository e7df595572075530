import { formatQuantity, quantityFromUnits } from '@podwright/kube-types';
import type { MachineTopology } from '@podwright/machine';
import type { MemoryAmounts } from '../memory-amounts.js';

/** One resource of one NUMA node, in bytes. */
export interface MemoryTable {
  readonly total: number;
  readonly systemReserved: number;
  readonly allocatable: number;
  reserved: number;
  free: number;
}

export interface NodeMemory {
  /** Number of blocks on the node, one per resource of a container. */
  numberOfAssignments: number;
  readonly memoryMap: Map<string, MemoryTable>;
  /** Nodes that serve memory together with this one, including itself, ascending. */
  cells: readonly number[];
}

/** The memory usage of each NUMA node. Source: kubernetes v1.36 pkg/kubelet/cm/memorymanager/state/state.go. */
export type MachineMemory = Map<number, NodeMemory>;

/**
 * A machine with nothing used. Source: kubernetes v1.36 pkg/kubelet/cm/memorymanager/policy_static.go
 * getDefaultMachineState.
 */
export function unusedMemory({ nodes }: MachineTopology, reserved: ReadonlyMap<number, MemoryAmounts>): MachineMemory {
  return new Map(
    nodes.map(({ id, memoryBytes, hugePages }) => {
      const reservedOf = (name: string): number => reserved.get(id)?.get(name) ?? 0;
      const pages = hugePages.map(({ sizeBytes, pages: count }) => ({
        name: `hugepages-${formatQuantity(quantityFromUnits(sizeBytes, 'BinarySI'))}`,
        bytes: sizeBytes * count,
      }));
      const inPages = pages.reduce((sum, { bytes }) => sum + bytes, 0);
      const tables = pages.map(({ name, bytes }) => [name, table(bytes, reservedOf(name), 0)] as const);
      const memoryMap = new Map([...tables, ['memory', table(memoryBytes, reservedOf('memory'), inPages)] as const]);
      return [id, { numberOfAssignments: 0, memoryMap, cells: [id] }];
    }),
  );
}

function table(total: number, systemReserved: number, otherwiseUsed: number): MemoryTable {
  const allocatable = Math.max(0, total - systemReserved - otherwiseUsed);
  return { total, systemReserved, allocatable, reserved: 0, free: allocatable };
}

/** Takes the bytes from the nodes of a group, lowest node first; each node counts one more assignment. */
export function charge(machine: MachineMemory, nodes: readonly number[], resource: string, bytes: number): void {
  let left = bytes;
  for (const id of nodes) {
    const node = machine.get(id);
    if (node === undefined) continue;
    node.numberOfAssignments += 1;
    node.cells = nodes;
    const memory = node.memoryMap.get(resource);
    if (memory === undefined) continue;
    const taken = Math.min(left, memory.free);
    memory.free -= taken;
    memory.reserved += taken;
    left -= taken;
  }
}

/** Reverses {@link charge}. A node without assignments leaves its group. */
export function giveBack(machine: MachineMemory, nodes: readonly number[], resource: string, bytes: number): void {
  let left = bytes;
  for (const id of nodes) {
    const node = machine.get(id);
    if (node === undefined) continue;
    node.numberOfAssignments -= 1;
    if (node.numberOfAssignments === 0) node.cells = [id];
    const memory = node.memoryMap.get(resource);
    if (memory === undefined) continue;
    const returned = Math.min(left, memory.reserved);
    memory.free += returned;
    memory.reserved -= returned;
    left -= returned;
  }
}

export function sumOver(
  machine: MachineMemory,
  nodes: readonly number[],
  resource: string,
  what: 'free' | 'allocatable' | 'reserved',
): number {
  return nodes.reduce((sum, id) => sum + (machine.get(id)?.memoryMap.get(resource)?.[what] ?? 0), 0);
}

export function sameNodes(a: readonly number[], b: readonly number[]): boolean {
  const [left, right] = [a, b].map((nodes) => [...nodes].sort((x, y) => x - y).join());
  return left === right;
}
