import { KubeletError } from '@podwright/errors';
import type { MemoryBlock } from '@podwright/memory-manager-interface';
import { charge, sameNodes, sumOver, type MachineMemory } from '../state/machine-memory.js';
import type { MemoryState } from '../state/memory-state.js';

/**
 * Fills a new state. Throws `failed-precondition` with upstream's text when a stored state does not match this machine;
 * the error's cause says where they differ. `unused` creates a machine with nothing used. Source: kubernetes v1.36
 * pkg/kubelet/cm/memorymanager/policy_static.go validateState.
 */
export function checkMachine(state: MemoryState, unused: () => MachineMemory, podLevel: boolean): void {
  if (state.machine.size === 0) {
    if (state.assignments().size > 0) throw fault('machine state can not be empty when it has memory assignments');
    state.machine = unused();
    state.changed();
    return;
  }
  const expected = unused();
  for (const [pod, containers] of state.assignments()) {
    const whole = podLevel ? (state.ofPod(pod) ?? []) : [];
    if (whole.length > 0) replay(expected, whole, pod, '');
    else for (const [container, blocks] of containers) replay(expected, blocks, pod, container);
  }
  const difference = differenceOf(state.machine, expected);
  if (difference !== undefined)
    throw fault('the expected machine state is different from the real one', new Error(difference));
}

function replay(machine: MachineMemory, blocks: readonly MemoryBlock[], pod: string, container: string): void {
  for (const { numaNodes, type, bytes } of blocks) {
    const who = `(pod: ${pod}, container: ${container}) the memory assignment uses`;
    for (const id of numaNodes) {
      const node = machine.get(id);
      if (node === undefined) throw fault(`${who} the NUMA that does not exist`);
      if (!node.memoryMap.has(type)) throw fault(`${who} memory resource that does not exist`);
    }
    charge(machine, numaNodes, type, bytes);
  }
}

/**
 * The first difference to the stored machine; undefined when there is none. Free memory may be distributed differently
 * among the nodes of a group: that depends on the order of allocations and releases.
 */
function differenceOf(real: MachineMemory, expected: MachineMemory): string | undefined {
  if (real.size !== expected.size) return differs('number of NUMA nodes', real.size, expected.size);
  for (const [id, node] of real) {
    const at = `NUMA node ${id}`;
    const other = expected.get(id);
    if (other === undefined) return `${at} does not exist`;
    if (node.numberOfAssignments !== other.numberOfAssignments)
      return differs(`${at}: numberOfAssignments`, node.numberOfAssignments, other.numberOfAssignments);
    if (!sameNodes(node.cells, other.cells)) return differs(`${at}: cells`, node.cells, other.cells);
    if (node.memoryMap.size !== other.memoryMap.size)
      return differs(`${at}: resources`, [...node.memoryMap.keys()], [...other.memoryMap.keys()]);
    for (const [name, memory] of node.memoryMap) {
      const wanted = other.memoryMap.get(name);
      if (wanted === undefined) return `${at}: resource ${name} does not exist`;
      for (const key of ['total', 'systemReserved', 'allocatable'] as const)
        if (memory[key] !== wanted[key]) return differs(`${at}: ${key} of ${name}`, memory[key], wanted[key]);
      for (const key of ['free', 'reserved'] as const) {
        const [sum, wantedSum] = [sumOver(real, node.cells, name, key), sumOver(expected, node.cells, name, key)];
        if (sum !== wantedSum) return differs(`${at} and its group: ${key} of ${name}`, sum, wantedSum);
      }
    }
  }
  return undefined;
}

function differs(what: string, stored: unknown, expected: unknown): string {
  return `${what} is stored as ${JSON.stringify(stored)}, expected ${JSON.stringify(expected)}`;
}

function fault(message: string, cause?: Error): KubeletError {
  return new KubeletError(`[memorymanager] ${message}`, { code: 'failed-precondition', cause });
}
