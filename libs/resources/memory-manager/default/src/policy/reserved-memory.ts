import { KubeletError } from '@podwright/errors';
import {
  addQuantities,
  formatQuantity,
  parseQuantity,
  quantityValue,
  type Quantity,
  type ResourceList,
} from '@podwright/kube-types';
import type { MachineTopology } from '@podwright/machine';
import { isMemoryResource, type MemoryAmounts } from '../memory-amounts.js';

export interface NodeReservation {
  readonly numaNode: number;
  readonly limits: ResourceList;
}

/**
 * Memory reserved on each NUMA node. The sum must equal the reservation of the whole node. Throws `failed-precondition`
 * with upstream's text. Source: kubernetes v1.36 pkg/kubelet/cm/memorymanager/memory_manager.go validateReservedMemory.
 */
export function reservedMemory(
  { nodes }: MachineTopology,
  reservations: readonly NodeReservation[],
  nodeReserved: ResourceList,
): ReadonlyMap<number, MemoryAmounts> {
  const perNode = new Map<number, Map<string, number>>(nodes.map(({ id }) => [id, new Map<string, number>()]));
  const totals = new Map<string, Quantity>();
  for (const { numaNode, limits } of reservations) {
    const amounts = perNode.get(numaNode);
    if (amounts === undefined)
      throw fault(
        `the reserved memory configuration references a NUMA node ${numaNode} that does not exist on this machine`,
      );
    for (const [name, limit] of Object.entries(limits)) {
      const before = totals.get(name);
      totals.set(name, before === undefined ? parseQuantity(limit) : addQuantities(parseQuantity(limit), before));
      amounts.set(name, Number(quantityValue(limit)));
    }
  }
  checkTotals(totals, nodeReserved);
  const memory = [...perNode.values()].reduce((sum, amounts) => sum + (amounts.get('memory') ?? 0), 0);
  if (memory <= 0) throw fault('[memorymanager] you should specify the system reserved memory');
  return perNode;
}

function checkTotals(totals: ReadonlyMap<string, Quantity>, nodeReserved: ResourceList): void {
  const names = new Set([...totals.keys(), ...Object.keys(nodeReserved).filter(isMemoryResource)]);
  for (const name of names) {
    const total = totals.get(name) ?? parseQuantity('0');
    const wanted = parseQuantity(nodeReserved[name] ?? '0');
    if (total.nano !== wanted.nano)
      throw fault(
        `the total amount "${formatQuantity(total)}" of type ${JSON.stringify(name)} is not equal to the value "${formatQuantity(wanted)}" determined by Node Allocatable feature`,
      );
  }
}

function fault(message: string): KubeletError {
  return new KubeletError(message, { code: 'failed-precondition' });
}
